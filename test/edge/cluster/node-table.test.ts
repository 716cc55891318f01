import { describe, expect, test } from "vitest";
import type { HeldJob, Heartbeat } from "../../../contracts/heartbeat.ts";
import {
  grantLifetimeMs,
  missingAfterMs,
  nodeLostAfterMs,
  nodeQuietAfterMs,
} from "../../../contracts/limits.ts";
import type { JobInWork } from "../../../edge/cluster/job-in-work.ts";
import { NodeTable } from "../../../edge/cluster/node-table.ts";
import type { RememberedNodes } from "../../../edge/cluster/remembered-node.ts";

const start = 1_000_000;
const nothing: RememberedNodes = new Map();

function heartbeat(fields: Partial<Heartbeat> = {}): Heartbeat {
  return {
    node_id: "node-a",
    hostname: "a",
    address: "http://a",
    sequence: 1,
    free_slots: 8,
    draining: false,
    counts: { downloading: 0, muxing: 0, uploading: 0 },
    jobs: [],
    ...fields,
  };
}

function held(fields: Partial<HeldJob> = {}): HeldJob {
  const progress = {
    percent: 10,
    bytes_downloaded: 1,
    bytes_total: 10,
    speed_bytes_per_second: 1,
    eta_seconds: 9,
  };
  return { account_id: "account", job_id: "job", claim: 1, step: "Downloading", progress, ...fields };
}

function inWork(fields: Partial<JobInWork> = {}): JobInWork {
  return {
    accountId: "account",
    jobId: "job",
    claim: 1,
    nodeId: "node-a",
    claimedAt: start,
    startedAt: start,
    ...fields,
  };
}

function createTable(): NodeTable {
  let ids = 0;
  return new NodeTable(() => `grant-${(ids += 1)}`);
}

const slotsOf = (grants: readonly { slots: number }[]) => grants.reduce((sum, { slots }) => sum + slots, 0);

describe("granting slots", () => {
  test("no slot is granted twice while its grant is open", () => {
    const table = createTable();
    table.hear(heartbeat({ free_slots: 6 }), start);
    const granted = [table.grantSlots(start), table.grantSlots(start), table.grantSlots(start)];
    expect(granted.map(slotsOf)).toEqual([4, 2, 0]);
  });

  test("a heartbeat unaware of an open grant does not free its slots", () => {
    const table = createTable();
    table.hear(heartbeat({ free_slots: 4 }), start);
    table.grantSlots(start);
    table.hear(heartbeat({ sequence: 2, free_slots: 4 }), start + 1000);
    expect(table.grantSlots(start + 1000)).toEqual([]);
  });

  test("slots of an unsettled grant are free again after its lifetime", () => {
    const table = createTable();
    table.hear(heartbeat({ free_slots: 4 }), start);
    table.grantSlots(start);
    table.hear(heartbeat({ sequence: 2, free_slots: 4 }), start + grantLifetimeMs);
    expect(slotsOf(table.grantSlots(start + grantLifetimeMs))).toBe(4);
  });

  test("unused slots of a settled grant are free at once", () => {
    const table = createTable();
    table.hear(heartbeat({ free_slots: 4 }), start);
    const [grant] = table.grantSlots(start);
    table.settleGrant(grant?.id ?? "", { used: 1, answered: true }, start);
    expect(slotsOf(table.grantSlots(start))).toBe(3);
  });

  test("a node that does not answer gets nothing for a while, and for longer the second time", () => {
    const table = createTable();
    table.hear(heartbeat(), start);
    const refuse = (now: number) => {
      const [grant] = table.grantSlots(now);
      table.settleGrant(grant?.id ?? "", { used: 0, answered: false }, now);
    };
    refuse(start);
    table.hear(heartbeat({ sequence: 2 }), start + 500);
    expect(table.grantSlots(start + 500)).toEqual([]);
    refuse(start + 1000);
    table.hear(heartbeat({ sequence: 3 }), start + 2500);
    expect(table.grantSlots(start + 2500)).toEqual([]);
    expect(slotsOf(table.grantSlots(start + 3000))).toBe(4);
  });

  test("a node that accepts some of its tasks is not paused, and its next heartbeat reports its free slots", () => {
    const table = createTable();
    table.hear(heartbeat(), start);
    const [grant] = table.grantSlots(start);
    table.settleGrant(grant?.id ?? "", { used: 3, answered: false }, start);
    expect(table.grantSlots(start)).toEqual([]);
    table.hear(heartbeat({ sequence: 2, free_slots: 1 }), start + 500);
    expect(slotsOf(table.grantSlots(start + 500))).toBe(1);
  });

  test("a node whose last dispatch failed comes after the others until it accepts a task", () => {
    const table = createTable();
    table.hear(heartbeat({ free_slots: 8 }), start);
    table.hear(heartbeat({ node_id: "node-b", address: "http://b", free_slots: 1 }), start);
    const orderAt = (now: number) => {
      const grants = table.grantSlots(now);
      for (const { id } of grants) table.settleGrant(id, { used: 0, answered: true }, now);
      return grants.map(({ nodeId }) => nodeId);
    };
    const settleFirst = (result: { used: number; answered: boolean }, now: number) => {
      const grant = table.grantSlots(now).find(({ nodeId }) => nodeId === "node-a");
      table.settleGrant(grant?.id ?? "", result, now);
    };
    expect(orderAt(start)).toEqual(["node-a", "node-b"]);
    settleFirst({ used: 0, answered: false }, start);
    const hearBoth = (sequence: number, now: number) => {
      for (const name of ["a", "b"])
        table.hear(heartbeat({ sequence, node_id: `node-${name}`, address: `http://${name}` }), now);
    };
    hearBoth(2, start + grantLifetimeMs);
    expect(orderAt(start + grantLifetimeMs)).toEqual(["node-b", "node-a"]);
    settleFirst({ used: 1, answered: true }, start + grantLifetimeMs);
    hearBoth(3, start + 2 * grantLifetimeMs);
    expect(orderAt(start + 2 * grantLifetimeMs)).toEqual(["node-a", "node-b"]);
  });

  test("a draining or silent node gets nothing", () => {
    const table = createTable();
    table.hear(heartbeat({ draining: true }), start);
    table.hear(heartbeat({ node_id: "node-b", address: "http://b" }), start);
    expect(table.grantSlots(start).map(({ nodeId }) => nodeId)).toEqual(["node-b"]);
    expect(table.grantSlots(start + nodeQuietAfterMs)).toEqual([]);
    expect(table.hasFreeSlots(start + nodeQuietAfterMs)).toBe(false);
  });

  test("a node heard from again after a silence gets jobs at once", () => {
    const table = createTable();
    expect(table.hear(heartbeat(), start).joined).toBe(true);
    expect(table.hear(heartbeat({ sequence: 2 }), start + nodeQuietAfterMs - 1).joined).toBe(false);
    const later = start + 2 * nodeQuietAfterMs;
    expect(table.hear(heartbeat({ sequence: 3 }), later).joined).toBe(true);
    expect(slotsOf(table.grantSlots(later))).toBe(4);
  });

  test("an old heartbeat is ignored", () => {
    const table = createTable();
    table.hear(heartbeat({ sequence: 5, free_slots: 0 }), start);
    table.hear(heartbeat({ sequence: 4, free_slots: 8 }), start + 10);
    expect(table.grantSlots(start + 10)).toEqual([]);
  });
});

describe("comparing rows with nodes", () => {
  test("jobs of a silent node are lost, but not those that a live node still holds", () => {
    const table = createTable();
    table.hear(heartbeat({ jobs: [held()] }), start);
    expect(table.compare([inWork()], [], nothing, start + nodeLostAfterMs - 1).lost).toEqual([]);
    expect(table.compare([inWork()], [], nothing, start + nodeLostAfterMs).lost).toEqual([inWork()]);
  });

  test("a job that a silent node never listed is lost, as it may have killed the node, but undelivered if the node was draining", () => {
    const foundAfter = (draining: boolean, listedClaim: number) => {
      const table = createTable();
      table.hear(heartbeat({ draining, jobs: [held({ claim: listedClaim })] }), start);
      const { lost, undelivered } = table.compare(
        [inWork({ claim: 2 })],
        [],
        nothing,
        start + nodeLostAfterMs,
      );
      return [lost.length, undelivered.length];
    };
    expect(foundAfter(false, 1)).toEqual([1, 0]);
    expect(foundAfter(true, 1)).toEqual([0, 1]);
    expect(foundAfter(true, 2)).toEqual([1, 0]);
  });

  test("a new process at the same address replaces the previous one at once", () => {
    const table = createTable();
    table.hear(heartbeat({ jobs: [held()] }), start);
    expect(table.hear(heartbeat({ node_id: "node-a2" }), start + 1000).replaced).toBe(true);
    expect(table.compare([inWork()], [], nothing, start + 1000).lost).toEqual([inWork()]);
    expect(table.hear(heartbeat({ node_id: "node-b", address: "http://b" }), start).replaced).toBe(false);
  });

  test("a job that a live node never listed is undelivered after three heartbeats without it, but not if just claimed", () => {
    const table = createTable();
    const compareAt = (sequence: number, now: number) => {
      table.hear(heartbeat({ sequence }), now);
      const { lost, undelivered } = table.compare([inWork()], [], nothing, now);
      return [lost.length, undelivered.length];
    };
    expect(compareAt(1, start + missingAfterMs - 1)).toEqual([0, 0]);
    expect(compareAt(2, start + missingAfterMs)).toEqual([0, 0]);
    expect(compareAt(3, start + missingAfterMs + 1000)).toEqual([0, 0]);
    expect(compareAt(5, start + missingAfterMs + 3000)).toEqual([0, 1]);
  });

  test("a job that a live node no longer lists is lost, but undelivered if it listed only an earlier claim", () => {
    const compareAfter = (listedClaim: number) => {
      const table = createTable();
      table.hear(heartbeat({ jobs: [held({ claim: listedClaim })] }), start);
      for (const sequence of [2, 5]) {
        table.hear(heartbeat({ sequence }), start + missingAfterMs);
        const found = table.compare([inWork({ claim: 2 })], [], nothing, start + missingAfterMs);
        if (sequence === 5) return [found.lost.length, found.undelivered.length];
      }
      return [];
    };
    expect(compareAfter(2)).toEqual([1, 0]);
    expect(compareAfter(1)).toEqual([0, 1]);
  });

  test("a claim that was held before the rows were read, and is dead in them, is cancelled once", () => {
    const table = createTable();
    table.hear(heartbeat({ jobs: [held({ claim: 1 })] }), start);
    table.compare([inWork({ claim: 2 })], table.heldClaims(), nothing, start + 5000);
    const told = table.hear(heartbeat({ sequence: 2, jobs: [held({ claim: 1 })] }), start + 6000);
    expect(told.cancel).toEqual([{ account_id: "account", job_id: "job", claim: 1 }]);
    expect(table.hear(heartbeat({ sequence: 3 }), start + 7000).cancel).toEqual([]);
  });

  test("a job that arrived after the rows were read is not cancelled", () => {
    const table = createTable();
    const heldBefore = table.heldClaims();
    table.hear(heartbeat({ jobs: [held()] }), start);
    table.compare([], heldBefore, nothing, start);
    expect(table.hear(heartbeat({ sequence: 2 }), start + 1000).cancel).toEqual([]);
  });
});

describe("claims that ended elsewhere", () => {
  const dead = { account_id: "account", job_id: "job", claim: 2 };

  test("are sent to the node that lists them, once, with its next heartbeat", () => {
    const table = createTable();
    table.hear(heartbeat({ jobs: [held({ claim: 2 })] }), start);
    table.hear(heartbeat({ node_id: "node-b", address: "http://b" }), start);
    table.noteDead([dead]);
    table.noteDead([dead]);
    expect(table.hear(heartbeat({ node_id: "node-b", sequence: 2 }), start + 1000).cancel).toEqual([]);
    expect(table.hear(heartbeat({ sequence: 2, jobs: [] }), start + 1000).cancel).toEqual([dead]);
    expect(table.hear(heartbeat({ sequence: 3, jobs: [] }), start + 2000).cancel).toEqual([]);
  });

  test("do not end a later claim of the same job", () => {
    const table = createTable();
    table.hear(heartbeat({ jobs: [held({ claim: 3 })] }), start);
    table.noteDead([dead]);
    expect(table.hear(heartbeat({ sequence: 2, jobs: [held({ claim: 3 })] }), start + 1000).cancel).toEqual(
      [],
    );
  });

  test("survive a sweep that read the rows before they ended", () => {
    const table = createTable();
    table.hear(heartbeat({ jobs: [held({ claim: 2 })] }), start);
    const before = table.heldClaims();
    table.noteDead([dead]);
    table.compare([inWork({ claim: 2 })], before, nothing, start);
    expect(table.hear(heartbeat({ sequence: 2, jobs: [] }), start + 1000).cancel).toEqual([dead]);
  });
});

test("a claim also held by another process at the address is cancelled there only", () => {
  const table = createTable();
  const jobs = [held()];
  table.hear(heartbeat({ jobs }), start);
  table.hear(heartbeat({ node_id: "node-a2", jobs }), start);
  table.compare([inWork({ nodeId: "node-a" })], table.heldClaims(), nothing, start);
  expect(table.hear(heartbeat({ sequence: 2, jobs }), start + 1000).cancel).toEqual([]);
  expect(table.hear(heartbeat({ node_id: "node-a2", sequence: 2, jobs }), start + 1000).cancel).toEqual([
    { account_id: "account", job_id: "job", claim: 1 },
  ]);
});

describe("counting steps", () => {
  const nodeB = { node_id: "node-b", address: "http://b" };

  test("counts each job once, by its latest claim", () => {
    const table = createTable();
    const other = held({ job_id: "other", step: "Muxing" });
    table.hear(heartbeat({ jobs: [held({ claim: 1, step: "Uploading" }), other] }), start);
    table.hear(heartbeat({ ...nodeB, jobs: [held({ claim: 2, step: "Downloading" })] }), start);
    expect(table.countSteps(start)).toEqual({ Downloading: 1, Muxing: 1, Uploading: 0 });
  });

  test("leaves out nodes not heard from for over 30 seconds, and replaced processes at once", () => {
    const table = createTable();
    table.hear(heartbeat({ jobs: [held()] }), start);
    expect(table.countSteps(start + 30_000)).toEqual({ Downloading: 1, Muxing: 0, Uploading: 0 });
    expect(table.countSteps(start + 30_001)).toEqual({ Downloading: 0, Muxing: 0, Uploading: 0 });
    table.hear(heartbeat({ node_id: "node-a2" }), start + 1000);
    expect(table.countSteps(start + 1000)).toEqual({ Downloading: 0, Muxing: 0, Uploading: 0 });
  });
});

test("a step is returned until it is written, and again when it changes", () => {
  const table = createTable();
  const stepsAt = (sequence: number, step: HeldJob["step"]) =>
    table.hear(heartbeat({ sequence, jobs: [held({ step })] }), start).steps;
  const first = stepsAt(1, "Downloading");
  expect(first).toHaveLength(1);
  expect(stepsAt(2, "Downloading")).toHaveLength(1);
  table.stepsWritten(first);
  expect(stepsAt(3, "Downloading")).toEqual([]);
  expect(stepsAt(4, "Muxing")).toEqual([
    { nodeId: "node-a", accountId: "account", jobId: "job", claim: 1, step: "Muxing" },
  ]);
});

test("progress comes from the current claim, even if other nodes still list the job", () => {
  const table = createTable();
  const of = (percent: number) => ({ ...held().progress, percent });
  table.hear(heartbeat({ jobs: [held({ claim: 1, progress: of(80) })] }), start);
  table.hear(
    heartbeat({ node_id: "node-b", address: "http://b", jobs: [held({ claim: 2, progress: of(5) })] }),
    start,
  );
  expect(table.liveState("job", 2)?.progress.percent).toBe(5);
  expect(table.liveState("job", 3)).toBeNull();
});

test("single jobs go to the node with the most free slots first", () => {
  const table = createTable();
  table.hear(heartbeat({ free_slots: 2 }), start);
  table.hear(heartbeat({ node_id: "node-b", address: "http://b", free_slots: 7 }), start);
  expect(table.grantSlots(start).map(({ nodeId }) => nodeId)).toEqual(["node-b", "node-a"]);
});

describe("after memory was lost", () => {
  const heardAt = (now: number): RememberedNodes => {
    const table = createTable();
    table.hear(heartbeat({ jobs: [held()] }), start);
    return table.compare([inWork()], [], nothing, now).remembered;
  };
  const lostAt = (remembered: RememberedNodes, now: number) => {
    const { lost, remembered: next } = createTable().compare([inWork()], [], remembered, now);
    return { isLost: lost.length > 0, next };
  };

  test("an unknown node has the full time to report", () => {
    const first = lostAt(nothing, start);
    expect(first.isLost).toBe(false);
    expect(lostAt(first.next, start + nodeLostAfterMs - 1).isLost).toBe(false);
    expect(lostAt(first.next, start + nodeLostAfterMs).isLost).toBe(true);
  });

  test("so has a node that was last heard without silence", () => {
    const first = lostAt(heardAt(start), start + 60_000);
    expect(first.isLost).toBe(false);
    expect(lostAt(first.next, start + 60_000 + nodeLostAfterMs - 1).isLost).toBe(false);
    expect(lostAt(first.next, start + 60_000 + nodeLostAfterMs).isLost).toBe(true);
  });

  test("earlier silence counts, but the node gets a few heartbeats' time, as the edge may have been down", () => {
    const first = lostAt(heardAt(start + nodeQuietAfterMs), start + 60_000);
    expect(first.isLost).toBe(false);
    expect(lostAt(first.next, start + 60_000 + nodeQuietAfterMs - 1).isLost).toBe(false);
    expect(lostAt(first.next, start + 60_000 + nodeQuietAfterMs).isLost).toBe(true);
  });

  test("a new process at a remembered address replaces the previous one", () => {
    const remembered = heardAt(start);
    const table = createTable();
    table.hear(heartbeat({ node_id: "node-b", address: "http://b" }), start + 5000);
    expect(table.compare([inWork()], [], remembered, start + 5000).lost).toEqual([]);
    table.hear(heartbeat({ node_id: "node-a2" }), start + 6000);
    expect(table.compare([inWork()], [], remembered, start + 6000).lost).toEqual([inWork()]);
  });

  test("a node that is heard again is no longer missed, and one without jobs is forgotten", () => {
    const { next } = lostAt(heardAt(start), start + 10_000);
    const table = createTable();
    table.hear(heartbeat({ jobs: [held()] }), start + 12_000);
    const { remembered } = table.compare([inWork()], [], next, start + 12_000);
    expect(remembered.get("node-a")).toEqual({ address: "http://a", silentSince: null, missedSince: null });
    expect(createTable().compare([], [], next, start + 12_000).remembered.size).toBe(0);
  });
});
