import { useMutation, useQueryClient } from "@tanstack/preact-query";
import { answerTo } from "../../client/ferry-client.ts";
import type { paths } from "../../client/openapi-types.ts";
import { announce } from "../elements/announcement.tsx";
import { LinesField } from "../elements/fields.tsx";
import { textOf } from "../elements/form-text.ts";
import { Form } from "../elements/form.tsx";
import { counted } from "../format/amount.ts";
import { goTo } from "../navigation/current-address.ts";
import { formProblems } from "../server/problem.ts";
import { useSettledError } from "../server/settled-error.ts";
import { useFerry } from "../session/session.tsx";
import { useOnceKey } from "./once-key.ts";
import { OptionFields, optionNames } from "./option-fields.tsx";
import { readOptions } from "./read-options.ts";

type BulkRequest = Omit<
  paths["/jobs/bulk"]["post"]["requestBody"]["content"]["application/json"],
  "webhook_url"
>;

/** A form for up to a hundred files with the same options. */
export function ListForm() {
  const ferry = useFerry();
  const queryClient = useQueryClient();
  const onceKey = useOnceKey();
  const create = useMutation({
    mutationFn: (body: BulkRequest) =>
      answerTo(ferry.POST("/jobs/bulk", { body, params: { header: { "idempotency-key": onceKey(body) } } })),
    onSuccess: ({ batch_id: batchId, total_jobs: total }) => {
      void queryClient.invalidateQueries();
      announce(`${counted(total, "job")} created`);
      goTo({ view: "batch", id: batchId, status: null, page: 1 });
    },
  });
  const problems = formProblems(useSettledError(create), ["jobs", ...optionNames], placeAtList);
  return (
    <Form
      label="New jobs"
      problem={problems.ofForm}
      problemCount={create.failureCount}
      isBusy={create.isPending}
      action="Create jobs"
      busyAction="Creating …"
      onSubmit={(form) => create.mutate({ jobs: readUrls(form), ...readOptions(form) })}
    >
      <div class="field-grid">
        <LinesField
          name="jobs"
          label="URLs"
          hint="One per line, at most 100. The options below apply to all."
          placeholder={"https://media.example/first\nhttps://media.example/second"}
          rows={8}
          problems={problems}
          wide
        />
      </div>
      <OptionFields problems={problems} folderHint="In the bucket; at most 200 characters" />
    </Form>
  );
}

function readUrls(form: FormData): BulkRequest["jobs"] {
  return textOf(form, "jobs")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((url) => ({ url }));
}

/** A problem with one of the URLs is shown at the list, with its position in it. */
function placeAtList({ path, message }: { path: string; message: string }) {
  const [, index] = /^jobs\.(\d+)\./.exec(path) ?? [];
  return index === undefined
    ? { path, message }
    : { path: "jobs", message: `URL ${Number(index) + 1}: ${message}` };
}
