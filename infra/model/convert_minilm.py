#!/usr/bin/env python3
"""Makes the ONNX files of all-MiniLM-L6-v2 from its weights, without PyTorch.

usage: convert_minilm.py SOURCE OUT [--keep-fp32]

SOURCE  a folder with model.safetensors, config.json and the tokenizer's files, or a wheel that carries such a folder
OUT     gets config.json, tokenizer.json, tokenizer_config.json, onnx/model_quantized.onnx (int8) and reference.json
        (sentences and their embeddings); with --keep-fp32 also onnx/model.onnx

The graph is written node by node: (input_ids, attention_mask, token_type_ids: int64 [batch, sequence]) to
last_hidden_state: float32 [batch, sequence, 384]. Mean pooling and scaling to length 1 are left to the caller.
Both files are compared with a forward pass in numpy that shares no code with the graph; the program fails when they differ.
"""

import argparse
import hashlib
import json
import math
import os
import shutil
import sys
import tempfile
import zipfile

# onnxruntime reports its use to its makers unless it is told not to before it is loaded.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file
from tokenizers import Tokenizer

# model.safetensors as its authors publish it; whoever repackages it can't have changed it.
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
COPIED = ("config.json", "tokenizer.json", "tokenizer_config.json")
MAX_TOKENS = 256
LEAST_COSINE = {"fp32": 0.9999, "int8": 0.98}

SENTENCES = [
    "The quick brown fox jumps over the lazy dog.",
    "A namespaced data service stores text, vectors and files.",
    "Que fait le chat sur la table ?",
    "Invoices must be paid within 30 days of receipt; late fees apply.",
    "short",
    "Gradient descent minimises a loss function by following its negative gradient. " * 12,
]


class Graph:
    """Nodes and constants under construction; every value is known by its name."""

    def __init__(self, weights):
        self.weights = weights
        self.nodes = []
        self.constants = {}

    def constant(self, name, array):
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name

    def ints(self, name, values):
        return self.constant(name, np.array(values, np.int64))

    def number(self, name, value):
        return self.constant(name, np.array(value, np.float32))

    def weight(self, key):
        return self.constant(key, self.weights[key])

    def op(self, kind, inputs, output, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def linear(self, x, prefix, output):
        # The weights are [out, in], MatMul wants [in, out].
        transposed = self.constant(prefix + ".weight.T", self.weights[prefix + ".weight"].T)
        return self.op("Add", [self.op("MatMul", [x, transposed], output + ".mm"), self.weight(prefix + ".bias")], output)

    def norm(self, x, prefix, output, epsilon):
        inputs = [x, self.weight(prefix + ".weight"), self.weight(prefix + ".bias")]
        return self.op("LayerNormalization", inputs, output, axis=-1, epsilon=epsilon)


def build(weights, config):
    hidden, heads, layers = config["hidden_size"], config["num_attention_heads"], config["num_hidden_layers"]
    head, epsilon = hidden // heads, config["layer_norm_eps"]
    g = Graph(weights)
    op = g.op

    words = op("Gather", [g.weight("embeddings.word_embeddings.weight"), "input_ids"], "emb.word")
    types = op("Gather", [g.weight("embeddings.token_type_embeddings.weight"), "token_type_ids"], "emb.type")
    length = op("Slice", [op("Shape", ["input_ids"], "shape"), g.ints("one_i", [1]), g.ints("two_i", [2])], "length")
    table = g.weight("embeddings.position_embeddings.weight")
    positions = op("Slice", [table, g.ints("zero_i", [0]), length, g.ints("axis_0", [0])], "emb.position")
    summed = op("Add", [op("Add", [words, types], "emb.word_type"), positions], "emb.sum")
    x = g.norm(summed, "embeddings.LayerNorm", "emb", epsilon)

    # What is masked gets the lowest float added to its score: [batch, 1, 1, sequence].
    mask = op("Cast", [op("Unsqueeze", ["attention_mask", g.ints("axes_12", [1, 2])], "mask.wide")], "mask.float", to=TensorProto.FLOAT)
    absent = op("Sub", [g.number("one", 1.0), mask], "mask.absent")
    penalty = op("Mul", [absent, g.number("lowest", np.finfo(np.float32).min)], "mask.penalty")

    split_shape, joined_shape = g.ints("split_shape", [0, 0, heads, head]), g.ints("joined_shape", [0, 0, hidden])
    for layer in range(layers):
        prefix, name = f"encoder.layer.{layer}.", f"l{layer}."

        def per_head(part, order):
            projected = g.linear(x, prefix + "attention.self." + part, name + part)
            return op("Transpose", [op("Reshape", [projected, split_shape], name + part + ".split")], name + part + ".heads", perm=order)

        query, key, value = per_head("query", [0, 2, 1, 3]), per_head("key", [0, 2, 3, 1]), per_head("value", [0, 2, 1, 3])
        scores = op("Div", [op("MatMul", [query, key], name + "scores"), g.number("sqrt_head", head**0.5)], name + "scaled")
        attention = op("Softmax", [op("Add", [scores, penalty], name + "masked")], name + "attention", axis=-1)
        context = op("Transpose", [op("MatMul", [attention, value], name + "context")], name + "context.t", perm=[0, 2, 1, 3])
        joined = op("Reshape", [context, joined_shape], name + "joined")
        mixed = g.linear(joined, prefix + "attention.output.dense", name + "mixed")
        x = g.norm(op("Add", [mixed, x], name + "residual_1"), prefix + "attention.output.LayerNorm", name + "norm_1", epsilon)

        wide = g.linear(x, prefix + "intermediate.dense", name + "wide")
        # The exact GELU, in the form onnxruntime recognises and fuses.
        error = op("Erf", [op("Div", [wide, g.number("sqrt_2", 2**0.5)], name + "gelu.div")], name + "gelu.erf")
        doubled = op("Mul", [wide, op("Add", [error, "one"], name + "gelu.add")], name + "gelu.mul")
        active = op("Mul", [doubled, g.number("half", 0.5)], name + "gelu")
        narrow = g.linear(active, prefix + "output.dense", name + "narrow")
        output = "last_hidden_state" if layer == layers - 1 else name + "norm_2"
        x = g.norm(op("Add", [narrow, x], name + "residual_2"), prefix + "output.LayerNorm", output, epsilon)

    shape = ["batch_size", "sequence_length"]
    inputs = [helper.make_tensor_value_info(i, TensorProto.INT64, shape) for i in ("input_ids", "attention_mask", "token_type_ids")]
    outputs = [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, hidden])]
    graph = helper.make_graph(g.nodes, "all-MiniLM-L6-v2", inputs, outputs, list(g.constants.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="convert_minilm", ir_version=8)
    onnx.checker.check_model(model)
    return model


def reference(weights, config, ids):
    """The embeddings by a forward pass in float64, one text at a time and without padding."""
    heads, epsilon = config["num_attention_heads"], config["layer_norm_eps"]
    head = config["hidden_size"] // heads
    erf = np.vectorize(math.erf)

    def get(key):
        return weights[key].astype(np.float64)

    def linear(x, prefix):
        return x @ get(prefix + ".weight").T + get(prefix + ".bias")

    def norm(x, prefix):
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt(x.var(-1, keepdims=True) + epsilon) * get(prefix + ".weight") + get(prefix + ".bias")

    def embed(row):
        count = len(row)
        x = get("embeddings.word_embeddings.weight")[row] + get("embeddings.token_type_embeddings.weight")[0]
        x = norm(x + get("embeddings.position_embeddings.weight")[:count], "embeddings.LayerNorm")
        for layer in range(config["num_hidden_layers"]):
            prefix = f"encoder.layer.{layer}."
            query, key, value = (
                linear(x, prefix + "attention.self." + part).reshape(count, heads, head).transpose(1, 0, 2)
                for part in ("query", "key", "value")
            )
            scores = query @ key.transpose(0, 2, 1) / head**0.5
            weighed = np.exp(scores - scores.max(-1, keepdims=True))
            weighed /= weighed.sum(-1, keepdims=True)
            context = (weighed @ value).transpose(1, 0, 2).reshape(count, -1)
            x = norm(x + linear(context, prefix + "attention.output.dense"), prefix + "attention.output.LayerNorm")
            wide = linear(x, prefix + "intermediate.dense")
            x = norm(x + linear(wide * (1 + erf(wide / 2**0.5)) / 2, prefix + "output.dense"), prefix + "output.LayerNorm")
        mean = x.mean(0)
        return mean / np.linalg.norm(mean)

    return np.array([embed(row) for row in ids])


def run(path, ids):
    """The embeddings by the file, in one padded batch, so that the mask is tried too."""
    longest = max(len(row) for row in ids)
    padded = np.array([row + [0] * (longest - len(row)) for row in ids], np.int64)
    mask = np.array([[1] * len(row) + [0] * (longest - len(row)) for row in ids], np.int64)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    hidden = session.run(None, {"input_ids": padded, "attention_mask": mask, "token_type_ids": np.zeros_like(padded)})[0]
    mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def check_weights(path):
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else hashlib.sha256(file.read()).hexdigest()
    if digest != WEIGHTS_SHA256:
        sys.exit(f"{path}: these are not the published weights of all-MiniLM-L6-v2 (sha256 {digest})")


def convert(source, out, keep_fp32):
    weights_file = os.path.join(source, "model.safetensors")
    check_weights(weights_file)
    weights = load_file(weights_file)
    with open(os.path.join(source, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    os.makedirs(os.path.join(out, "onnx"), exist_ok=True)
    for name in COPIED:
        shutil.copyfile(os.path.join(source, name), os.path.join(out, name))

    files = {"fp32": os.path.join(out, "onnx", "model.onnx"), "int8": os.path.join(out, "onnx", "model_quantized.onnx")}
    onnx.save(build(weights, config), files["fp32"])
    quantize_dynamic(files["fp32"], files["int8"], weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)

    tokenizer = Tokenizer.from_file(os.path.join(out, "tokenizer.json"))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    ids = [encoding.ids for encoding in tokenizer.encode_batch(SENTENCES)]
    expected = reference(weights, config, ids)
    for kind, path in files.items():
        cosine = float((run(path, ids) * expected).sum(1).min())
        print(f"{kind}: {os.path.getsize(path)} bytes, least cosine {cosine:.4f}")
        if not cosine >= LEAST_COSINE[kind]:
            sys.exit(f"{kind}: the embeddings are wrong (least cosine {cosine:.4f})")
    with open(os.path.join(out, "reference.json"), "w", encoding="utf-8") as file:
        json.dump({"sentences": SENTENCES, "embeddings": expected.round(6).tolist()}, file)
    if not keep_fp32:
        os.remove(files["fp32"])


def main():
    parser = argparse.ArgumentParser(description="Makes the ONNX files of all-MiniLM-L6-v2 from its weights.")
    parser.add_argument("source")
    parser.add_argument("out")
    parser.add_argument("--keep-fp32", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as unpacked:
        source = arguments.source
        if zipfile.is_zipfile(source):
            with zipfile.ZipFile(source) as wheel:
                wheel.extractall(unpacked)
            source = next((folder for folder, _, names in os.walk(unpacked) if "model.safetensors" in names), None)
            if source is None:
                sys.exit(f"{arguments.source} holds no model.safetensors")
        convert(source, arguments.out, arguments.keep_fp32)


if __name__ == "__main__":
    main()
