import { secureHeaders } from "hono/secure-headers";

const nothing = ["'none'"];
/** Without the subdomains, which are not ours to speak for. */
const strictTransportSecurity = "max-age=15552000";

/** For answers that are data: should a browser show one, it loads and runs nothing. What a page has set stays. */
export const securityHeaders = secureHeaders({
  contentSecurityPolicy: { defaultSrc: nothing, frameAncestors: nothing },
  strictTransportSecurity,
  xFrameOptions: "DENY",
  overwrite: false,
});

/** For our own pages: files of this origin and nothing else, no inline script. */
export const pageSecurityHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: nothing,
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", "data:"],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: nothing,
    formAction: nothing,
    frameAncestors: nothing,
  },
  strictTransportSecurity,
  xFrameOptions: "DENY",
});
