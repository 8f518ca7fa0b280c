"""Places one signed order at a running sandbox and reads what became of it, with nothing but Python's library.

    causeway sandbox --port 0 --info sandbox.json
    python3 docs/examples/sandbox_order.py sandbox.json

Written from docs/venue/contract.md (A.5, A.10 and A.15; G37 for the request's authentication) and docs/SANDBOX.md.
"""

import base64
import hashlib
import hmac
import json
import secrets
import sys
import time
import urllib.error
import urllib.request

# blake3, for messages of any length: https://github.com/BLAKE3-team/BLAKE3-specs
MASK = 0xFFFFFFFF
IV = [0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19]
PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8


def mix(v, a, b, c, d, x, y):
    for word, far, near in ((x, 16, 12), (y, 8, 7)):
        v[a] = (v[a] + v[b] + word) & MASK
        v[d] = turned(v[d] ^ v[a], far)
        v[c] = (v[c] + v[d]) & MASK
        v[b] = turned(v[b] ^ v[c], near)


def turned(word, by):
    return (word >> by | word << (32 - by)) & MASK


def compress(chaining, block, counter, length, flags):
    v = chaining + IV[:4] + [counter & MASK, counter >> 32, length, flags]
    m = list(block)
    for _ in range(7):
        for i in range(4):
            mix(v, i, 4 + i, 8 + i, 12 + i, m[2 * i], m[2 * i + 1])
        for i in range(4):
            mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[8 + 2 * i], m[9 + 2 * i])
        m = [m[i] for i in PERMUTATION]
    return [v[i] ^ v[i + 8] for i in range(8)]


def chunk(data, counter, flags):
    chaining = IV
    blocks = [data[i : i + 64] for i in range(0, len(data), 64)] or [b""]
    for i, block in enumerate(blocks):
        words = [int.from_bytes(block.ljust(64, b"\0")[j : j + 4], "little") for j in range(0, 64, 4)]
        is_last = i == len(blocks) - 1
        own = (CHUNK_START if i == 0 else 0) | (CHUNK_END | flags if is_last else 0)
        chaining = compress(chaining, words, counter, len(block), own)
    return chaining


def subtree(data, first, flags):
    if len(data) <= 1024:
        return chunk(data, first, flags)
    left = 1024
    while left * 2 < len(data):
        left *= 2
    halves = subtree(data[:left], first, 0) + subtree(data[left:], first + left // 1024, 0)
    return compress(IV, halves, 0, 64, PARENT | flags)


def blake3(data):
    return b"".join(word.to_bytes(4, "little") for word in subtree(data, 0, ROOT))


# ECDSA over secp256k1: https://www.secg.org/sec2-v2.pdf
P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def add(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0]:
        if (a[1] + b[1]) % P == 0:
            return None
        slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, P) % P
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P) % P
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def times(k, point):
    total = None
    while k:
        if k & 1:
            total = add(total, point)
        point = add(point, point)
        k >>= 1
    return total


def sign(digest, key):
    """r, s, v as 65 integers, with the low s that the contract asks for (G13)."""
    k = secrets.randbelow(N - 1) + 1
    x, y = times(k, G)
    r = x % N
    s = pow(k, -1, N) * (int.from_bytes(digest, "big") + r * key) % N
    v = y & 1
    if s > N // 2:
        s, v = N - s, v ^ 1
    return list(r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([v]))


def canonical(value):
    return json.dumps(value, separators=(",", ":")).encode()


class Venue:
    def __init__(self, info):
        self.base = info["baseUrl"]
        self.service = info["service"]
        self.account = info["accounts"][0]

    def call(self, method, path, body=None, **headers):
        data = b"" if body is None else json.dumps(body).encode()
        timestamp = str(int(time.time() * 1000))
        text = f"{timestamp}{method}{path}".encode() + data
        digest = hmac.new(self.account["apiSecret"].encode(), text, hashlib.sha256).digest()
        request = urllib.request.Request(self.base + path, data=data or None, method=method)
        for name, value in {
            "X-API-Key": self.account["apiKey"],
            "X-API-Passphrase": self.account["passphrase"],
            "X-API-Timestamp": timestamp,
            "X-API-Signature": base64.b64encode(digest).decode(),
            "Content-Type": "application/json",
            **headers,
        }.items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            sys.exit(f"{method} {path}: HTTP {error.code} {error.read().decode()}")

    def submit(self, action):
        """The hash route, asked with nonce 0, tells the account's next nonce; the bytes are made and hashed here."""
        envelope = {
            "account": self.account["account"],
            "nonce": 0,
            "nonce_reservation_id": None,
            "ts": int(time.time() * 1000),
            "action": action,
        }
        hashed = self.call("POST", "/api/v1/trading/actions/hash", envelope)
        envelope["nonce"] = hashed["canonicalPayload"]["nonce"]
        content = canonical(envelope)
        digest = blake3(f"{self.service}/ACTION_PAYLOAD/v1".encode() + content)
        order_id = "0x" + blake3(f"{self.service}/ORDER_ID/v1".encode() + content).hex()
        agent = self.account["agents"][0]
        signature = {"scheme": "EcdsaSecp256k1", "bytes": sign(digest, int(agent["key"], 16))}
        body = {"payload": envelope, "signature": signature}
        key = {"Idempotency-Key": digest.hex()[:32]}
        return order_id, self.call("POST", "/api/v1/trading/actions", body, **key)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        venue = Venue(json.load(file))
    order = {
        "market": 1,
        "side": "Bid",
        "price": 40_000_000_000,
        "qty": 1_000_000,
        "stp_mode": None,
        "time_in_force": "gtc",
        "is_market": False,
        "reduce_only": False,
        "expires_at": None,
    }
    order_id, placed = venue.submit({"SpotPlaceOrder": order})
    if placed["derivedOrderId"] != order_id:
        sys.exit(f"the venue calls it {placed['derivedOrderId']}, not {order_id}")
    print(f"accepted {order_id}")
    _, canceled = venue.submit({"Cancel": {"order_id": order_id}})
    print(f"cancel accepted {canceled['accepted']}")
    # An acknowledgement is no state of the order: that is on the execution stream, here by its gap-fill.
    page = venue.call("GET", "/api/v1/order-entry/execution/gap-fill?fromSeq=1&limit=1000")
    for event in page["events"]:
        if event["orderId"] == order_id:
            print(f"seq {event['seq']}: {event['kind']} {event['status']}")


if __name__ == "__main__":
    main()
