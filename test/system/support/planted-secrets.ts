/** Stands in URLs that tests give a system, as a token of the source or of the webhook's receiver. */
export const urlSecret = "token-of-a-url-that-nothing-may-show";

/** The secret key of the bucket that tests give a system. */
export const bucketSecret = "secret-of-a-bucket-that-nothing-may-show";
