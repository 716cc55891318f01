/** A token that tests put into the URLs of sources and webhook receivers. */
export const urlSecret = "token-of-a-url-that-nothing-may-show";

/** The secret key of the custom bucket in tests. */
export const bucketSecret = "secret-of-a-bucket-that-nothing-may-show";
