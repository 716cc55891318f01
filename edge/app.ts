import { OpenAPIHono } from "@hono/zod-openapi";
import { cancelBatch } from "./batches/cancel-batch.route.ts";
import { getBatch } from "./batches/get-batch.route.ts";
import { listDashboardBatches } from "./batches/list-dashboard-batches.route.ts";
import { getCluster } from "./cluster/get-cluster.route.ts";
import { addDashboardRoutes } from "./dashboard/dashboard.routes.ts";
import { errorResponse } from "./http/error-response.ts";
import { health } from "./http/health.route.ts";
import type { HttpEnv } from "./http/http-env.ts";
import { notFound } from "./http/http-errors.ts";
import { limitRequestHead } from "./http/limit-request-head.ts";
import { refuseOtherMethods } from "./http/method-not-allowed.ts";
import { requestProblems } from "./http/request-problems.ts";
import { requestScope } from "./http/request-scope.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { cancelJob } from "./jobs/cancel-job.route.ts";
import { createBulk } from "./jobs/create-bulk.route.ts";
import { createJob } from "./jobs/create-job.route.ts";
import { deleteJob } from "./jobs/delete-job.route.ts";
import { deleteFile } from "./jobs/delete-file.route.ts";
import { getJob } from "./jobs/get-job.route.ts";
import { getJobEvents } from "./jobs/get-job-events.route.ts";
import { listDashboardJobs } from "./jobs/list-dashboard-jobs.route.ts";
import { listJobs } from "./jobs/list-jobs.route.ts";
import { retryJob } from "./jobs/retry-job.route.ts";
import { addOpenApiRoute } from "./openapi.ts";
import { getDaily } from "./statistics/get-daily.route.ts";
import { getStats } from "./statistics/get-stats.route.ts";
import { configureBucket } from "./storage/configure-bucket.route.ts";
import { getBucket } from "./storage/get-bucket.route.ts";
import { resetBucket } from "./storage/reset-bucket.route.ts";
import { addSwaggerRoutes } from "./swagger/swagger.routes.ts";
import { getUsage } from "./usage/get-usage.route.ts";
import { getWebhookSecret } from "./webhooks/get-webhook-secret.route.ts";
import { listWebhookDeliveries } from "./webhooks/list-deliveries.route.ts";
import { redeliverWebhook } from "./webhooks/redeliver.route.ts";
import { rotateSecret } from "./webhooks/rotate-webhook-secret.route.ts";

/** The public HTTP interface: all routes and what they have in common. Its bindings are the dependencies. */
export function createApp(): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>({
    defaultHook: (result) => {
      if (!result.success) throw requestProblems(result.error);
    },
  });
  app.use(securityHeaders, requestScope, limitRequestHead);
  app.onError(errorResponse);
  app.notFound((c) => errorResponse(notFound(), c));

  // Its path also matches the one of a single job, whose other methods must not answer for it.
  app.openapiRoutes([createBulk]);
  refuseOtherMethods(app);
  app.openapiRoutes([createJob, listJobs, getJob, getJobEvents, deleteJob, cancelJob, retryJob]);
  app.openapiRoutes([getBatch, cancelBatch]);
  app.openapiRoutes([getStats, listDashboardJobs, listDashboardBatches, getDaily, getCluster]);
  app.openapiRoutes([getUsage, health]);
  app.openapiRoutes([getWebhookSecret, rotateSecret, listWebhookDeliveries, redeliverWebhook]);
  app.openapiRoutes([configureBucket, getBucket, resetBucket, deleteFile]);
  app.get("/", (c) => c.redirect("/dashboard"));
  addOpenApiRoute(app);
  addDashboardRoutes(app);
  addSwaggerRoutes(app);
  refuseOtherMethods(app);
  return app;
}
