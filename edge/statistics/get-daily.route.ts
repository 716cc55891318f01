import { createRoute, z } from "@hono/zod-openapi";
import { defineRoute, errors, json, needsKey } from "../http/route.ts";
import { lastDays } from "./days.ts";
import { readDays } from "./statistics.store.ts";

const daysShown = 7;
const count = z.int().nonnegative();

const dailySchema = z
  .object({
    daily_stats: z
      .array(
        z.object({ date: z.iso.date().openapi({ description: "UTC." }), completed: count, failed: count }),
      )
      .length(daysShown),
  })
  .openapi("Daily", {
    example: {
      daily_stats: [
        { date: "2026-01-25", completed: 0, failed: 0 },
        { date: "2026-01-26", completed: 14, failed: 1 },
        { date: "2026-01-27", completed: 9, failed: 0 },
        { date: "2026-01-28", completed: 0, failed: 0 },
        { date: "2026-01-29", completed: 3, failed: 2 },
        { date: "2026-01-30", completed: 7, failed: 0 },
        { date: "2026-01-31", completed: 5, failed: 0 },
      ],
    },
  });

export const getDaily = defineRoute(
  createRoute({
    method: "get",
    path: "/dashboard/daily",
    operationId: "getDaily",
    summary: "Get the number of jobs that ended on each of the last 7 days",
    description: "Oldest first, today last. Cancelled jobs are not counted; a day without jobs has zeros.",
    tags: ["Dashboard"],
    ...needsKey,
    responses: { 200: json(dailySchema, "The days."), ...errors(401, 500) },
  }),
  async (c) => {
    const { database, clock } = c.env;
    const dates = lastDays(clock(), daysShown);
    const counted = await readDays(database, c.var.account.id, dates[0] ?? "");
    const byDay = new Map(counted.map(({ day, completed, failed }) => [day, { completed, failed }]));
    const daily = dates.map((date) => ({ date, ...(byDay.get(date) ?? { completed: 0, failed: 0 }) }));
    return c.json({ daily_stats: daily }, 200);
  },
);
