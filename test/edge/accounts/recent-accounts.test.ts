import { expect, it } from "vitest";
import { RecentAccounts } from "../../../edge/accounts/recent-accounts.ts";

const account = { id: "1", name: "Acme" };

it("caches an account for 30 s from when it was read, however often it is used", () => {
  const recent = new RecentAccounts();
  recent.set("hash", account, 1000);
  expect(recent.get("hash", 30_999)).toBe(account);
  expect(recent.get("hash", 31_000)).toBeNull();
  expect(recent.get("other", 1000)).toBeNull();
});

it("caches the latest 1,000 accounts and no more", () => {
  const recent = new RecentAccounts();
  for (let number = 0; number < 1500; number += 1) recent.set(`hash ${number}`, account, 0);
  const remembered = Array.from({ length: 1500 }, (_, number) => recent.get(`hash ${number}`, 0) !== null);
  expect(remembered.indexOf(true)).toBe(500);
  expect(remembered.lastIndexOf(false)).toBe(499);
});
