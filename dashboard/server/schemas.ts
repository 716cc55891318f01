import type { components } from "../../client/openapi-types.ts";

type Schemas = components["schemas"];

export type Job = Schemas["Job"];
export type JobStatus = Job["status"];
export type JobStep = Job["step"];
export type ListedJob = Schemas["JobList"]["jobs"][number];
export type JobOptions = Job["options"];
export type Batch = Schemas["Batch"];
export type ListedBatch = Schemas["BatchList"]["batches"][number];
export type DailyStat = Schemas["Daily"]["daily_stats"][number];
export type Delivery = Schemas["WebhookDeliveries"]["deliveries"][number];
export type FailureCode = NonNullable<Job["error_code"]>;
