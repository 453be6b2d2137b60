// Compiles each file given as Ajv does by default, in strict mode, and prints a JSON array with what Ajv refuses about
// each of them: empty for nothing.
const Ajv = require("ajv/dist/2020");
const addFormats = require("ajv-formats");
const fs = require("fs");

const results = process.argv.slice(2).map(file => {
  try {
    const ajv = new Ajv({ logger: false });
    addFormats(ajv);
    ajv.compile(JSON.parse(fs.readFileSync(file, "utf8")));
    return "";
  } catch (error) {
    return error.message;
  }
});
console.log(JSON.stringify(results));
