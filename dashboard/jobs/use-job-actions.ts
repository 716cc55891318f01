import { useMutation, useQueryClient } from "@tanstack/preact-query";
import { answerTo } from "../../client/ferry-client.ts";
import { announce } from "../elements/announcement.tsx";
import { goTo } from "../navigation/current-address.ts";
import { problemSentence } from "../server/problem.ts";
import { useFerry } from "../session/session.tsx";

/** The actions on a job. Each announces its result, and refetches what it changed. */
export function useJobActions(id: string) {
  const ferry = useFerry();
  const queryClient = useQueryClient();
  const params = { path: { id } };
  const common = {
    onError: (error: Error) => announce(problemSentence(error), "bad"),
    onSettled: () => queryClient.invalidateQueries(),
  };
  const cancel = useMutation({
    mutationFn: () => answerTo(ferry.POST("/jobs/{id}/cancel", { params })),
    onSuccess: ({ message }) => announce(message),
    ...common,
  });
  const retry = useMutation({
    mutationFn: () => answerTo(ferry.POST("/jobs/{id}/retry", { params })),
    onSuccess: ({ message, job_id: newId }) => {
      announce(message);
      goTo({ view: "job", id: newId });
    },
    ...common,
  });
  const deleteFile = useMutation({
    mutationFn: () => answerTo(ferry.DELETE("/jobs/{id}/file", { params })),
    onSuccess: ({ message }) => announce(message),
    ...common,
  });
  /** Requests a new link, since a link is valid for a day. */
  const download = useMutation({
    mutationFn: () => answerTo(ferry.GET("/jobs/{id}", { params })),
    onSuccess: ({ storage_url: url }) => {
      if (url === undefined) announce("The file is no longer there", "bad");
      else startDownload(url);
    },
    ...common,
  });
  return { cancel, retry, deleteFile, download };
}

/** The object is stored as an attachment, so the browser saves it and stays on the page. */
function startDownload(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.rel = "noreferrer";
  link.click();
}
