import { useMutation, useQueryClient } from "@tanstack/preact-query";
import { answerTo, type JobRequest } from "../../client/ferry-client.ts";
import { announce } from "../elements/announcement.tsx";
import { TextField } from "../elements/fields.tsx";
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

const fieldNames = ["url", "filename", "webhook_url", ...optionNames];

/** A form for one file or for a show; the service itself finds out which of the two the URL is. */
export function MediaForm({ isShow }: { isShow: boolean }) {
  const ferry = useFerry();
  const queryClient = useQueryClient();
  const onceKey = useOnceKey();
  const create = useMutation({
    mutationFn: (body: JobRequest) =>
      answerTo(ferry.POST("/jobs", { body, params: { header: { "idempotency-key": onceKey(body) } } })),
    onSuccess: (created) => {
      void queryClient.invalidateQueries();
      if ("batch_id" in created) {
        announce(`Show created with ${counted(created.total_episodes, "episode")}`);
        goTo({ view: "batch", id: created.batch_id, status: null, page: 1 });
      } else {
        announce("Job created");
        goTo({ view: "job", id: created.job_id });
      }
    },
  });
  const problems = formProblems(useSettledError(create), fieldNames);
  return (
    <Form
      label={isShow ? "New show" : "New job"}
      problem={problems.ofForm}
      problemCount={create.failureCount}
      isBusy={create.isPending}
      action={isShow ? "Create jobs for all episodes" : "Create job"}
      busyAction={isShow ? "Reading the episodes; up to two minutes …" : "Creating …"}
      onSubmit={(form) => create.mutate(readRequest(form))}
    >
      <div class="field-grid">
        <TextField
          name="url"
          label={isShow ? "Show URL" : "URL"}
          hint={
            isShow
              ? "The show's feed, or its page on Apple Podcasts. Each episode becomes a job."
              : "A video page, a media file, or an HLS or DASH manifest."
          }
          type="url"
          placeholder={isShow ? "https://podcasts.example/weekly/feed.xml" : "https://media.example/talk"}
          autofocus
          problems={problems}
          wide
        />
      </div>
      <OptionFields
        problems={problems}
        folderHint={isShow ? "Default: the show's title" : "In the bucket; at most 200 characters"}
      >
        {!isShow && (
          <TextField
            name="filename"
            label="File name"
            hint="Without extension; default: the media's title"
            problems={problems}
          />
        )}
      </OptionFields>
      <div class="field-grid">
        <TextField
          name="webhook_url"
          label="Webhook URL"
          hint={
            isShow ? "Receives one POST when all episodes have ended" : "Receives a POST when the job ends"
          }
          type="url"
          placeholder="https://example.com/hooks/ferry"
          problems={problems}
          wide
        />
      </div>
    </Form>
  );
}

function readRequest(form: FormData): JobRequest {
  const filename = textOf(form, "filename");
  const webhookUrl = textOf(form, "webhook_url");
  return {
    url: textOf(form, "url"),
    ...(filename !== "" && { filename }),
    ...readOptions(form),
    ...(webhookUrl !== "" && { webhook_url: webhookUrl }),
  };
}
