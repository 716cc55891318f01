import { useMutation, useQueryClient } from "@tanstack/preact-query";
import { answerTo } from "../../client/ferry-client.ts";
import type { paths } from "../../client/openapi-types.ts";
import { announce } from "../elements/announcement.tsx";
import { CheckField, TextField } from "../elements/fields.tsx";
import { textOf } from "../elements/form-text.ts";
import { Form } from "../elements/form.tsx";
import { formProblems } from "../server/problem.ts";
import { useSettledError } from "../server/settled-error.ts";
import { useFerry } from "../session/session.tsx";

type BucketRequest = paths["/user/bucket"]["post"]["requestBody"]["content"]["application/json"];
type ShownBucket = Pick<BucketRequest, "endpoint" | "bucket" | "region" | "force_path_style">;

const fieldNames = ["endpoint", "bucket", "region", "access_key_id", "secret_access_key", "force_path_style"];

/** Asks for a bucket, which the service tests before accepting it. */
export function BucketForm({ current, onClose }: { current: ShownBucket | null; onClose: () => void }) {
  const ferry = useFerry();
  const queryClient = useQueryClient();
  const configure = useMutation({
    mutationFn: (body: BucketRequest) => answerTo(ferry.POST("/user/bucket", { body })),
    onSuccess: ({ message, bucket }) => {
      announce(`${message}: ${bucket.bucket}`);
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["bucket"] }),
  });
  const problems = formProblems(useSettledError(configure), fieldNames);
  return (
    <Form
      label="Your own bucket"
      problem={problems.ofForm}
      problemCount={configure.failureCount}
      isBusy={configure.isPending}
      action="Test and use this bucket"
      busyAction="Testing the bucket …"
      onCancel={onClose}
      onSubmit={(form) => configure.mutate(readBucket(form))}
    >
      <div class="field-grid">
        <TextField
          name="endpoint"
          label="Endpoint"
          hint="The S3 API's URL, without the bucket"
          placeholder="https://s3.example.com"
          value={current?.endpoint}
          problems={problems}
          wide
        />
        <TextField name="bucket" label="Bucket" value={current?.bucket} problems={problems} />
        <TextField
          name="region"
          label="Region"
          placeholder="auto"
          value={current?.region ?? undefined}
          problems={problems}
        />
        <TextField name="access_key_id" label="Access key id" problems={problems} />
        <TextField
          name="secret_access_key"
          label="Secret access key"
          hint="Stored encrypted, never shown again"
          type="password"
          problems={problems}
        />
        <CheckField
          name="force_path_style"
          label="Bucket name in the path"
          hint="Otherwise part of the host name"
          isChecked={current?.force_path_style ?? true}
          problems={problems}
        />
      </div>
    </Form>
  );
}

function readBucket(form: FormData): BucketRequest {
  return {
    endpoint: textOf(form, "endpoint"),
    bucket: textOf(form, "bucket"),
    region: textOf(form, "region"),
    access_key_id: textOf(form, "access_key_id"),
    secret_access_key: textOf(form, "secret_access_key"),
    force_path_style: form.has("force_path_style"),
  };
}
