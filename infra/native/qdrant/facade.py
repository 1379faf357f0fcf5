"""A facade over Qdrant's engine, for tests only.

It is: the part of Qdrant's REST API that Cairn's adapter uses, with Qdrant's status codes and error bodies, over the engine that
Qdrant publishes for Python (`qdrant-edge-py`). Filters, scores, order and storage are the engine's own. What is measured with it is
quoted as "facade over Qdrant's engine".

It is not the Qdrant server: no cluster, shards, replicas, aliases, snapshots, gRPC or strict mode; one call of the engine at a time,
since each holds the interpreter's lock; and no optimizer, which would hold it for many seconds: segments stay as they were written, so
no HNSW graph is ever built, nothing is quantized, and every search compares whole vectors one by one. What it does not speak it refuses with 400, saying so.

    python facade.py --port 6333 --data ./qdrant [--host 127.0.0.1] [--api-key-file FILE]

Each collection has a folder: the engine's shard, and `collection.json`, which is written last and makes the collection exist. A write
is answered when the engine has it in its log, which a kill of the process leaves (a power cut may not). SIGTERM closes everything.
"""

import argparse
import fcntl
import hmac
import json
import os
import re
import shutil
import signal
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import qdrant_edge as edge

MAX_BODY_BYTES = 32 * 1024 * 1024
FLUSH_SECONDS = 10
PLAIN_TEXT = "text/plain; charset=utf-8"


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def only(given, known, where):
    """What a request asks for beyond `known` must not be passed over in silence."""
    beyond = [name for name, value in given.items() if name not in known and value is not None]
    if beyond:
        raise Refused(400, f"This facade does not speak {', '.join(sorted(beyond))} in {where}")


def to_id(given):
    if isinstance(given, int) and not isinstance(given, bool) and 0 <= given < 2**64:
        return given
    try:
        return uuid.UUID(given)
    except (ValueError, AttributeError, TypeError):
        shown = given if isinstance(given, str) else json.dumps(given)
        message = f"value {shown} is not a valid point ID, valid values are either an unsigned integer or a UUID"
        raise Refused(400, f"Format error in JSON body: {message}") from None


def from_id(found):
    return str(found) if isinstance(found, uuid.UUID) else found


def to_condition(given):
    if "has_id" in given:
        only(given, ("has_id",), "a condition")
        return edge.HasIdCondition({to_id(one) for one in given["has_id"]})
    if "nested" in given:
        only(given, ("nested",), "a condition")
        only(given["nested"], ("key", "filter"), "a nested condition")
        return edge.NestedCondition(given["nested"]["key"], to_filter(given["nested"]["filter"]))
    if "key" not in given:
        return to_filter(given)
    only(given, ("key", "match", "range"), "a condition")
    match, bounds = given.get("match"), given.get("range")
    if match is not None:
        only(match, ("value", "any"), "a match")
        match = edge.MatchAny(match["any"]) if "any" in match else edge.MatchValue(match["value"])
    if bounds is not None:
        only(bounds, ("gt", "gte", "lt", "lte"), "a range")
        bounds = edge.RangeFloat(**{name: float(value) for name, value in bounds.items()})
    return edge.FieldCondition(given["key"], match=match, range=bounds)


def to_filter(given):
    if given is None:
        return None
    groups = ("must", "should", "must_not")
    only(given, groups, "a filter")
    return edge.Filter(**{name: [to_condition(one) for one in given[name]] for name in groups if given.get(name)})


def to_order(given):
    if given is None:
        return None
    only(given, ("key", "direction", "start_from"), "order_by")
    direction = edge.Direction.Desc if given.get("direction") == "desc" else edge.Direction.Asc
    return edge.OrderBy(given["key"], direction, given.get("start_from"))


def to_limit(given):
    limit = 10 if given is None else given
    if not isinstance(limit, int) or limit < 1:
        raise Refused(422, f"Validation error in JSON body: [limit: value {limit} invalid, must be 1 or larger]")
    return limit


def from_point(found):
    vector = getattr(found, "vector", None)
    if isinstance(vector, dict):
        vector = {name: one if isinstance(one, list) else {"indices": one.indices, "values": one.values} for name, one in vector.items()}
    fields = {"payload": found.payload, "order_value": getattr(found, "order_value", None), "vector": vector}
    return {"id": from_id(found.id), **{name: value for name, value in fields.items() if value is not None}}


class Collection:
    """The engine's shard may be used from several threads; the lock keeps it from being closed under a call."""

    def __init__(self, shard, params):
        self.shard = shard
        self.params = params
        self.lock = threading.Lock()
        self.operations = 0
        self.flushed = 0

    def vector(self, given):
        if not isinstance(given, list) or not all(isinstance(one, (int, float)) for one in given):
            raise Refused(400, "This facade does not speak anything but one dense vector")
        size = self.params["vectors"]["size"]
        if len(given) != size:
            raise Refused(400, f"Wrong input: Vector dimension error: expected dim: {size}, got {len(given)}")
        return given

    def sparse_vector(self, name, given):
        if name not in self.params.get("sparse_vectors", {}):
            raise Refused(400, f"Wrong input: Not existing vector name error: {name}")
        only(given, ("indices", "values"), "a sparse vector")
        return edge.SparseVector(given["indices"], given["values"])

    def vectors(self, given):
        if not isinstance(given, dict):
            return self.vector(given)
        return {name: self.vector(one) if name == "" else self.sparse_vector(name, one) for name, one in given.items()}

    def update(self, operation):
        self.shard.update(operation)
        self.operations += 1
        return {"operation_id": self.operations, "status": "completed"}

    def describe(self, _):
        info = self.shard.info()
        schema = {
            field: {"data_type": str(index.data_type).rsplit(".", 1)[-1].lower(), "points": index.points}
            for field, index in info.payload_schema.items()
        }
        params = {name: self.params[name] for name in ("vectors", "sparse_vectors") if self.params.get(name)}
        config = {"params": params, "hnsw_config": self.params["hnsw_config"]}
        config["quantization_config"] = self.params.get("quantization_config")
        counts = {"points_count": info.points_count, "segments_count": info.segments_count}
        return {"status": "green", "optimizer_status": "ok", **counts, "config": config, "payload_schema": schema}

    def create_index(self, body):
        schema = dict(body["field_schema"])
        kinds = {"keyword": edge.KeywordIndexParams, "integer": edge.IntegerIndexParams, "float": edge.FloatIndexParams}
        kind = schema.pop("type")
        if kind not in kinds:
            raise Refused(400, f"This facade does not speak an index of type {kind}")
        return self.update(edge.UpdateOperation.create_field_index(body["field_name"], kinds[kind](**schema)))

    def upsert(self, body):
        only(body, ("points",), "an upsert")
        points = [edge.Point(to_id(one["id"]), self.vectors(one["vector"]), one.get("payload")) for one in body["points"]]
        return self.update(edge.UpdateOperation.upsert_points(points))

    def delete(self, body):
        only(body, ("points",), "a deletion")
        return self.update(edge.UpdateOperation.delete_points([to_id(one) for one in body["points"]]))

    def count(self, body):
        only(body, ("filter", "exact"), "a count")
        request = edge.CountRequest(exact=body.get("exact", True), filter=to_filter(body.get("filter")))
        return {"count": self.shard.count(request)}

    def retrieve(self, body):
        only(body, ("ids", "with_payload", "with_vector"), "a retrieval")
        shown = body.get("with_payload", True), body.get("with_vector") or False
        points = self.shard.retrieve([to_id(one) for one in body["ids"]], *shown)
        return [from_point(one) for one in points]

    def scroll(self, body):
        only({**body, "with_vector": body.get("with_vector") or None}, ("offset", "limit", "filter", "with_payload", "order_by"), "a scroll")
        request = edge.ScrollRequest(
            offset=None if body.get("offset") is None else to_id(body["offset"]),
            limit=to_limit(body.get("limit")),
            filter=to_filter(body.get("filter")),
            with_payload=body.get("with_payload", True),
            order_by=to_order(body.get("order_by")),
        )
        points, following = self.shard.scroll(request)
        return {"points": [from_point(one) for one in points], "next_page_offset": from_id(following)}

    def query(self, body):
        only(body, ("query", "using", "limit", "filter", "params", "with_payload", "with_vector"), "a query")
        given, limit, filter = body["query"], to_limit(body.get("limit")), to_filter(body.get("filter"))
        shown = {"with_payload": body.get("with_payload", False), "with_vector": body.get("with_vector") or False}
        if isinstance(given, dict) and given.get("sample") == "random":
            request = edge.QueryRequest(limit, query=edge.Sample.Random, filter=filter, **shown)
            return {"points": [{**from_point(one), "score": 0, "version": one.version} for one in self.shard.query(request)]}
        params = body.get("params") or {}
        only(params, ("exact", "hnsw_ef", "quantization"), "params")
        if params.get("quantization") is not None:
            params = {**params, "quantization": edge.QuantizationSearchParams(**params["quantization"])}
        using = body.get("using")
        query = edge.Query.Nearest(self.sparse_vector(using, given) if using else self.vector(given), using)
        request = edge.SearchRequest(query, limit, filter=filter, params=edge.SearchParams(**params), **shown)
        found = self.shard.search(request)
        return {"points": [{**from_point(one), "score": one.score, "version": one.version} for one in found]}

    def query_batch(self, body):
        only(body, ("searches",), "a batch of queries")
        return [self.query(one) for one in body["searches"]]


ACTIONS = {
    ("GET", ""): Collection.describe,
    ("PUT", "/index"): Collection.create_index,
    ("PUT", "/points"): Collection.upsert,
    ("POST", "/points"): Collection.retrieve,
    ("POST", "/points/delete"): Collection.delete,
    ("POST", "/points/count"): Collection.count,
    ("POST", "/points/scroll"): Collection.scroll,
    ("POST", "/points/query"): Collection.query,
    ("POST", "/points/query/batch"): Collection.query_batch,
}


class Store:
    def __init__(self, data):
        self.data = data
        self.collections = {}
        self.lock = threading.Lock()
        data.mkdir(parents=True, exist_ok=True)
        # A previous process may still be closing its shards; wait for it. The lock is held until the process exits in
        # any way.
        self.held = open(data / "lock", "w")
        fcntl.flock(self.held, fcntl.LOCK_EX)
        for folder in sorted(one for one in data.iterdir() if one.is_dir()):
            about = folder / "collection.json"
            if about.exists():
                shard = edge.EdgeShard.load(str(folder / "shard"))
                self.collections[unquote(folder.name)] = Collection(shard, json.loads(about.read_text()))
            else:
                shutil.rmtree(folder)

    def answer(self, method, path, body):
        if (method, path) == ("GET", "/collections"):
            return {"collections": [{"name": name} for name in sorted(self.collections)]}
        named = re.fullmatch(r"/collections/([^/]+)(/.*)?", path)
        name, action = (unquote(named[1]), named[2] or "") if named else ("", path)
        if (method, action) == ("PUT", ""):
            return self.create(name, body)
        if (method, action) == ("PATCH", ""):
            return self.change(name, body)
        if (method, action) == ("DELETE", ""):
            return self.drop(name)
        if method == "PUT" and (vector := re.fullmatch(r"/vectors/([^/]+)", action)):
            return self.add_vector(name, vector[1], body)
        if (method, action) not in ACTIONS:
            raise Refused(400, f"This facade does not speak {method} {path}")
        collection = self.collections.get(name)
        if collection is not None:
            with collection.lock:
                if collection.shard is not None:
                    return ACTIONS[method, action](collection, body)
        raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")

    def folder(self, name):
        return self.data / quote(name, safe="").replace(".", "%2E")

    def create(self, name, body):
        known = ("vectors", "sparse_vectors", "hnsw_config", "on_disk_payload", "quantization_config")
        only(body, known, "a new collection")
        only(body["vectors"], ("size", "distance"), "vectors")
        hnsw = {"m": 16, "ef_construct": 100, "full_scan_threshold": 10_000, **(body.get("hnsw_config") or {})}
        vectors = edge.EdgeVectorParams(body["vectors"]["size"], getattr(edge.Distance, body["vectors"]["distance"]))
        sparse = body.get("sparse_vectors") or {}
        for one in sparse.values():
            only(one, ("index",), "a sparse vector")
        sparse_params = {name: edge.EdgeSparseVectorParams(**one.get("index", {})) for name, one in sparse.items()}
        config = edge.EdgeConfig(vectors, sparse_vectors=sparse_params, hnsw_config=edge.HnswIndexConfig(**hnsw), on_disk_payload=body.get("on_disk_payload"))
        params = {"vectors": body["vectors"], "sparse_vectors": sparse, "hnsw_config": hnsw}
        params["quantization_config"] = body.get("quantization_config")
        # If two requests create a collection at once, one succeeds and the other gets an error that it exists.
        with self.lock:
            if name in self.collections:
                raise Refused(409, f"Wrong input: Collection `{name}` already exists!")
            folder = self.folder(name)
            shard = edge.EdgeShard.create(str(folder / "shard"), config)
            self.describe(name, params)
            self.collections[name] = Collection(shard, params)
        return True

    def describe(self, name, params):
        unfinished = self.folder(name) / "collection.json.new"
        unfinished.write_text(json.dumps(params))
        os.replace(unfinished, self.folder(name) / "collection.json")

    def change(self, name, body):
        only(body, ("quantization_config",), "a change of a collection")
        given = body["quantization_config"]
        with self.lock:
            collection = self.collections.get(name)
            if collection is None:
                raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")
            collection.params = {**collection.params, "quantization_config": None if given == "Disabled" else given}
            self.describe(name, collection.params)
        return True

    def add_vector(self, name, vector, body):
        only(body, ("sparse",), "a new vector")
        only(body["sparse"], (), "a new sparse vector")
        with self.lock:
            collection = self.collections.get(name)
            if collection is None:
                raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")
            with collection.lock:
                if vector in collection.params.get("sparse_vectors", {}):
                    raise Refused(400, f"Wrong input: Vector name already exists: {vector}")
                result = collection.update(edge.UpdateOperation.create_sparse_vector(vector))
                collection.params["sparse_vectors"] = {**collection.params.get("sparse_vectors", {}), vector: {}}
                self.describe(name, collection.params)
        return result

    def drop(self, name):
        with self.lock:
            collection = self.collections.pop(name, None)
            if collection is None:
                return False
            with collection.lock:
                collection.shard.close()
                collection.shard = None
            (self.folder(name) / "collection.json").unlink()
            shutil.rmtree(self.folder(name))
        return True

    def flush(self):
        """Keeps the engine's log short; what is in it is safe already."""
        for collection in list(self.collections.values()):
            with collection.lock:
                if collection.shard is not None and collection.flushed != collection.operations:
                    collection.flushed = collection.operations
                    collection.shard.flush()

    def close(self):
        self.lock.acquire()
        for collection in self.collections.values():
            # Never released: running operations finish first, later ones wait until the process exits.
            collection.lock.acquire()
            collection.shard.close()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Sends header and body in one packet; a second packet would wait for the client's delayed acknowledgement of the
    # first.
    wbufsize = 64 * 1024
    disable_nagle_algorithm = True
    store: Store
    api_key: str | None

    def log_message(self, format, *args):
        pass

    def send(self, status, body, content_type="application/json"):
        data = body.encode()
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def refusal(self):
        given = self.headers.get("api-key") or (self.headers.get("authorization") or "").removeprefix("Bearer ")
        if self.api_key is None or hmac.compare_digest(given.encode(), self.api_key.encode()):
            return None
        return "Invalid API key or JWT" if given else "Must provide an API key or an Authorization bearer token"

    def handle_request(self):
        began = time.monotonic()
        size = int(self.headers.get("content-length") or 0)
        path = urlsplit(self.path).path
        if size > MAX_BODY_BYTES:
            self.close_connection = True
            return self.send(413, "Payload Too Large", PLAIN_TEXT)
        raw = self.rfile.read(size)
        if path in ("/readyz", "/healthz", "/livez"):
            return self.send(200, "all shards are ready" if path == "/readyz" else "healthz check passed", PLAIN_TEXT)
        if path == "/":
            return self.send(200, json.dumps({"title": "facade over Qdrant's engine", "version": version("qdrant-edge-py")}))
        if refusal := self.refusal():
            return self.send(401, refusal, PLAIN_TEXT)
        result, status, said = None, 200, "ok"
        try:
            result = self.store.answer(self.command, path, json.loads(raw or "{}"))
        except Refused as refused:
            status, said = refused.status, {"error": str(refused)}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            status, said = 400, {"error": f"Format error in JSON body: {error!r}"}
        except Exception as error:
            # The engine raises plain Exceptions for invalid requests.
            status, said = 400, {"error": f"Bad request: {error}"}
        self.send(status, json.dumps({"result": result, "status": said, "time": time.monotonic() - began}))

    do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = handle_request


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request, client_address):
        # A disconnected client is not an error.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def main():
    parser = argparse.ArgumentParser(description="Facade over Qdrant's engine, for tests only.")
    parser.add_argument("--port", type=int, default=6333)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--api-key-file", type=Path)
    options = parser.parse_args()
    Handler.api_key = options.api_key_file.read_text().strip() if options.api_key_file else None
    Handler.store = store = Store(options.data)
    server = Server((options.host, options.port), Handler)
    stopped = threading.Event()

    def stop(*_):
        # In a separate thread, because `shutdown` waits for the serving thread, which is this one.
        threading.Thread(target=server.shutdown).start()

    def flush_now_and_then():
        while not stopped.wait(FLUSH_SECONDS):
            store.flush()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    threading.Thread(target=flush_now_and_then, daemon=True).start()
    print(f"facade over Qdrant's engine on http://{options.host}:{server.server_port}, {len(store.collections)} collections", flush=True)
    server.serve_forever(poll_interval=0.1)
    stopped.set()
    store.close()


if __name__ == "__main__":
    main()
