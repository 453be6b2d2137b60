"""A service built on the Python SDK that carries out the calls of a test.

It reads one JSON object per line from standard input, {"call": 1, "op": "publish", ...}, and writes one answer per call
to standard output, in the order in which they finish: {"call": 1, "result": {...}} or {"call": 1, "error": "..."}.
Bytes are base64, payloads to publish are JSON text. It exits at the end of its input.
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
    """Raised by a handler that is told to fail."""


class Calls(logging.Handler):
    """Keeps log lines by thread. Each call runs in a thread of its own."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = {}

    def emit(self, record):
        self.lines.setdefault(record.thread, []).append(f"{record.name}: {record.getMessage()}")

    def take(self):
        return self.lines.pop(threading.get_ident(), [])


class Recorder:
    """Replaces a Pulsar client and records the messages instead of sending them."""

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
    """Returns the members of an envelope that tests look at, besides the payload."""
    return {name: envelope.get(name) for name in ("job", "trace_id", "attempts", "dead_letter", "case")}


class Peer:
    def __init__(self, url):
        self.url = url
        self.log = Calls()
        logging.getLogger().addHandler(self.log)

    def transport(self, prefix, type="Shared", subscription="babelqueue"):
        """Returns the SDK's transport on a new connection: closing the transport closes its connection."""
        client = pulsar.Client(self.url, logger=pulsar.ConsoleLogger(pulsar.LoggerLevel.Error))
        return PulsarTransport(
            client=client,
            subscription=subscription,
            topic_prefix=prefix,
            consumer_type=TYPES[type],
            initial_position=pulsar.InitialPosition.Earliest,
            negative_ack_redelivery_delay_ms=100,
        )

    def op_hello(self):
        """Returns the versions of the SDK and of the Pulsar client."""
        return {p: importlib.metadata.version(p) for p in ("babelqueue", "pulsar-client")}

    def op_encode(self, urn, trace_id, queue, data, extra_meta, id, created_at, lang):
        """Makes an envelope with the SDK, sets its identity, and returns the message that would be sent."""
        envelope = EnvelopeCodec.make(urn, json.loads(data), queue=queue, trace_id=trace_id, meta=extra_meta)
        envelope["meta"].update(id=id, created_at=created_at, lang=lang)
        recorder = Recorder()
        PulsarTransport(client=recorder).publish(queue, EnvelopeCodec.encode(envelope))
        [(content, properties)] = recorder.sent
        return {"body": b64(content), "properties": properties}

    def op_judge(self, bodies):
        """Returns why each body is poison, or "" if it is not."""
        texts = (base64.b64decode(body).decode("utf-8", "surrogateescape") for body in bodies)
        return {"poison": [EnvelopeCodec.poison_cause(text) or "" for text in texts]}

    def op_publish(self, prefix, queue, urn, data, trace_id):
        """Publishes a message as a service would."""
        transport = self.transport(prefix)
        try:
            app = BabelQueue(transport=transport, queue=queue)
            return {"id": app.publish(urn, json.loads(data), trace_id=trace_id)}
        finally:
            transport.close()

    def op_send(self, topic, messages):
        """Sends messages unchanged, bypassing the SDK."""
        client = pulsar.Client(self.url, logger=pulsar.ConsoleLogger(pulsar.LoggerLevel.Error))
        try:
            producer = client.create_producer(topic, block_if_queue_full=True)
            for m in messages:
                producer.send(base64.b64decode(m["body"]), properties=m["properties"])
        finally:
            client.close()
        return {}

    def op_work(self, prefix, queue, type, messages, fail, max_attempts, dead_letter, urns, subscription):
        """Handles the next messages as a service would. The handler fails its first calls."""
        transport = self.transport(prefix, type, subscription)
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
        """Reads the next messages from a queue and returns how the SDK understands them."""
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
        """Sends dead letters back to the queues that they came from."""
        transport = self.transport(prefix)
        try:
            items = redrive(transport, queue, max=messages, timeout=PATIENCE).items
        finally:
            transport.close()
        return {"items": [{
            "id": i.message_id, "trace_id": i.trace_id, "urn": i.urn,
            "reason": i.reason, "to": i.to, "redriven": i.redriven,
        } for i in items]}

    def answer(self, request):
        call, op = request.pop("call"), request.pop("op")
        try:
            result = getattr(self, "op_" + op)(**request)
            result["log"] = self.log.take()
            return json.dumps({"call": call, "result": result}, allow_nan=False)
        except Exception:
            return json.dumps({"call": call, "error": traceback.format_exc()})


def main():
    # Code that prints by itself, such as the Pulsar client, must not write between the answers.
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
    os._exit(0)  # do not wait for calls that still wait for a message


main()
