import type { ShowFailure } from "../../contracts/show.ts";
import { ApiError } from "../http/api-error.ts";

export const showTimedOut = () =>
  new ApiError({
    status: 504,
    code: "episode_extraction_timed_out",
    message: "Episode extraction timed out",
  });

export const noEpisodes = () =>
  new ApiError({ status: 400, code: "no_episodes", message: "No episodes found" });

const unreadable = (reason: string) =>
  new ApiError({
    status: 400,
    code: "unsupported_url",
    message: "Unsupported URL",
    details: [{ path: "url", message: reason }],
  });

/** What the client is told about a show that a node could not read. */
export function showProblem(failure: ShowFailure): ApiError {
  switch (failure) {
    case "unreadable":
      return unreadable("The show cannot be read");
    case "too_large":
      return unreadable("The show's feed is too large");
    case "no_episodes":
      return noEpisodes();
    case "timed_out":
      return showTimedOut();
  }
}
