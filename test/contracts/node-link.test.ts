import { expect, test } from "vitest";
import { isNodeLink } from "../../contracts/node-link.ts";

test.for([
  { address: "https://node-1.example", deployed: true, local: true },
  { address: "container://node-1", deployed: true, local: true },
  { address: "http://127.0.0.1:8788", deployed: true, local: true },
  { address: "http://[::1]:8788", deployed: true, local: true },
  { address: "http://localhost:8788", deployed: true, local: true },
  { address: "http://node-1.example", deployed: false, local: true },
  { address: "http://10.0.0.7:8788", deployed: false, local: true },
  { address: "http://127.0.0.1.example", deployed: false, local: true },
  { address: "http://localhost.example", deployed: false, local: true },
  { address: "ftp://127.0.0.1", deployed: false, local: false },
  { address: "node-1", deployed: false, local: false },
  { address: "", deployed: false, local: false },
])(
  "edge and node talk at $address: $deployed when deployed, $local in a private network",
  ({ address, deployed, local }) => {
    expect(isNodeLink(address, { allowPrivateNetwork: false })).toBe(deployed);
    expect(isNodeLink(address, { allowPrivateNetwork: true })).toBe(local);
  },
);
