"""A service of the Python SDK that does what a test asks of it.

It reads one JSON object a line from its standard input, {"call": 1, "op": "publish", ...}, and answers each on its
standard output, in whatever order they are done: {"call": 1, "result": {...}} or {"call": 1, "error": "..."}. Bytes are
in base64, payloads to publish are JSON text. It ends with its input.
"""

import base64
import importlib.metadata
import json
import logging
import os
import sys
import threading
import traceback

import pulsar
from babelqueue import BabelQueue, EnvelopeCodec
from babelqueue.pulsar_transport import PulsarTransport
from babelqueue.redrive import redrive

TYPES = {
    "Exclusive": pulsar.ConsumerType.Exclusive,
    "Shared": pulsar.ConsumerType.Shared,
    "Failover": pulsar.ConsumerType.Failover,
    "Key_Shared": pulsar.ConsumerType.KeyShared,
}

# How long a call waits for a message before it gives up, in seconds.
PATIENCE = 60.0


class OutOfStock(Exception):
    """What a handler raises that is told to fail."""


class Calls(logging.Handler):
    """Keeps what is logged, by the thread that logs it: each call has its own."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = {}

    def emit(self, record):
        self.lines.setdefault(record.thread, []).append(f"{record.name}: {record.getMessage()}")

    def take(self):
        return self.lines.pop(threading.get_ident(), [])


class Recorder:
    """Stands in for a Pulsar client whose messages go nowhere, to see them as they would be sent."""

    def __init__(self):
        self.sent = []

    def create_producer(self, topic):
        return self

    def send(self, content, properties=None):
        self.sent.append((content, properties))

    def close(self):
        pass


def b64(data):
    return base64.b64encode(data).decode("ascii")


def view(envelope):
    """What a test looks at of an envelope besides the payload."""
    return {name: envelope.get(name) for name in ("job", "trace_id", "attempts", "dead_letter", "case")}


class Peer:
    def __init__(self, url):
        self.url = url
        self.log = Calls()
        logging.getLogger().addHandler(self.log)

    def transport(self, prefix, type="Shared"):
        """The SDK's transport over a connection of its own, since closing the one closes the other."""
        client = pulsar.Client(self.url, logger=pulsar.ConsoleLogger(pulsar.LoggerLevel.Error))
        return PulsarTransport(
            client=client,
            topic_prefix=prefix,
            consumer_type=TYPES[type],
            initial_position=pulsar.InitialPosition.Earliest,
            negative_ack_redelivery_delay_ms=100,
        )

    def op_hello(self):
        """Who is there."""
        return {p: importlib.metadata.version(p) for p in ("babelqueue", "pulsar-client")}

    def op_encode(self, urn, trace_id, queue, data, extra_meta, id, created_at, lang):
        """Makes an envelope with the SDK, gives it the identity asked for, and publishes it to nowhere."""
        envelope = EnvelopeCodec.make(urn, json.loads(data), queue=queue, trace_id=trace_id, meta=extra_meta)
        envelope["meta"].update(id=id, created_at=created_at, lang=lang)
        recorder = Recorder()
        PulsarTransport(client=recorder).publish(queue, EnvelopeCodec.encode(envelope))
        [(content, properties)] = recorder.sent
        return {"body": b64(content), "properties": properties}

    def op_judge(self, bodies):
        """Says why bodies are poison, "" for those that are not."""
        texts = (base64.b64decode(body).decode("utf-8", "surrogateescape") for body in bodies)
        return {"poison": [EnvelopeCodec.poison_cause(text) or "" for text in texts]}

    def op_publish(self, prefix, queue, urn, data, trace_id):
        """Publishes as a service does."""
        transport = self.transport(prefix)
        try:
            return {"id": BabelQueue(transport=transport, queue=queue).publish(urn, json.loads(data), trace_id=trace_id)}
        finally:
            transport.close()

    def op_send(self, topic, messages):
        """Sends messages as they are, past the SDK."""
        client = pulsar.Client(self.url, logger=pulsar.ConsoleLogger(pulsar.LoggerLevel.Error))
        try:
            producer = client.create_producer(topic, block_if_queue_full=True)
            for m in messages:
                producer.send(base64.b64decode(m["body"]), properties=m["properties"])
        finally:
            client.close()
        return {}

    def op_work(self, prefix, queue, type, messages, fail, max_attempts, dead_letter, urns):
        """Handles the next messages as a service does; the first so many of its handler's calls fail."""
        transport = self.transport(prefix, type)
        app = BabelQueue(transport=transport, queue=queue, max_attempts=max_attempts, dead_letter=dead_letter)
        handled = []

        def handle(data, meta, envelope):
            handled.append({"data": data, "meta": meta, "envelope": view(envelope)})
            if len(handled) <= fail:
                raise OutOfStock(f"no stock (call {len(handled)})")

        for urn in urns:
            app.register(urn, handle)
        try:
            processed = app.consume(max_messages=messages, timeout=PATIENCE, handle_signals=False)
        finally:
            transport.close()
        return {"processed": processed, "handled": handled}

    def op_read(self, prefix, queue, messages):
        """Takes the next messages off a queue and says what the SDK makes of them."""
        transport = self.transport(prefix)
        read = []
        try:
            for _ in range(messages):
                received = transport.pop(queue, timeout=PATIENCE)
                if received is None:
                    break
                envelope = EnvelopeCodec.decode_lenient(received.body)
                read.append({
                    "body": b64(received.handle.data()),
                    "properties": received.handle.properties(),
                    "gated": received.route_urn.startswith("babelqueue:unsupported-schema-version:"),
                    "poison": EnvelopeCodec.poison_cause(received.body) or "",
                    "accepts": EnvelopeCodec.accepts(envelope),
                    "urn": EnvelopeCodec.urn(envelope),
                    "envelope": view(envelope),
                })
                transport.ack(received)
        finally:
            transport.close()
        return {"read": read}

    def op_redrive(self, prefix, queue, messages):
        """Sends dead letters back to where they came from."""
        transport = self.transport(prefix)
        try:
            items = redrive(transport, queue, max=messages, timeout=PATIENCE).items
        finally:
            transport.close()
        return {"items": [
            {"id": i.message_id, "trace_id": i.trace_id, "urn": i.urn, "reason": i.reason, "to": i.to, "redriven": i.redriven}
            for i in items
        ]}

    def answer(self, request):
        call, op = request.pop("call"), request.pop("op")
        try:
            result = getattr(self, "op_" + op)(**request)
            result["log"] = self.log.take()
            return json.dumps({"call": call, "result": result}, allow_nan=False)
        except Exception:
            return json.dumps({"call": call, "error": traceback.format_exc()})


def main():
    # What prints on its own account, such as the Pulsar client, must not get between the answers.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    peer = Peer(os.environ.get("BQ_PULSAR_URL", ""))
    lock = threading.Lock()

    def serve(line):
        text = peer.answer(json.loads(line)).encode("ascii") + b"\n"
        with lock:
            answers.write(text)

    for line in sys.stdin.buffer:
        threading.Thread(target=serve, args=(line,), daemon=True).start()
    os._exit(0)  # calls that still wait for a message are of no use to anybody


main()
