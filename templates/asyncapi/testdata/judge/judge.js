// Prints a JSON array with one entry for each file given: the diagnostics of AsyncAPI's parser and the size of the
// document that it read.
const { Parser } = require("@asyncapi/parser");
const fs = require("fs");

(async () => {
  const parser = new Parser();
  const results = [];
  for (const file of process.argv.slice(2)) {
    const { document, diagnostics } = await parser.parse(fs.readFileSync(file, "utf8"));
    results.push({
      file,
      read: document !== undefined,
      channels: document ? document.allChannels().length : 0,
      messages: document ? document.allMessages().length : 0,
      operations: document ? document.allOperations().length : 0,
      // 0 is an error, 1 a warning.
      diagnostics: diagnostics.map(d => ({
        severity: d.severity,
        code: String(d.code),
        path: d.path.join("/"),
        message: d.message,
      })),
    });
  }
  console.log(JSON.stringify(results));
})();
