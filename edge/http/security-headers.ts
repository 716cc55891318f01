import { secureHeaders } from "hono/secure-headers";

const nothing = ["'none'"];
const ourFiles = ["'self'"];
/** Without the subdomains, which are not ours to speak for. */
const strictTransportSecurity = "max-age=15552000";

/** For answers that are data: should a browser show one, it loads and runs nothing. What a page has set stays. */
export const securityHeaders = secureHeaders({
  contentSecurityPolicy: { defaultSrc: nothing, frameAncestors: nothing },
  strictTransportSecurity,
  xFrameOptions: "DENY",
  overwrite: false,
});

const pagePolicy = {
  defaultSrc: nothing,
  scriptSrc: ourFiles,
  styleSrc: ourFiles,
  imgSrc: ourFiles,
  fontSrc: ourFiles,
  connectSrc: ourFiles,
  baseUri: nothing,
  formAction: nothing,
  frameAncestors: nothing,
};

/** For the dashboard: files of this origin and nothing else, nothing inline, and no text ever becomes markup. */
export const dashboardSecurityHeaders = secureHeaders({
  contentSecurityPolicy: { ...pagePolicy, requireTrustedTypesFor: ["'script'"], trustedTypes: nothing },
  strictTransportSecurity,
  xFrameOptions: "DENY",
});

/** For the interactive documentation, whose library has pictures in its styles and makes markup of what it cleans. */
export const swaggerSecurityHeaders = secureHeaders({
  contentSecurityPolicy: { ...pagePolicy, imgSrc: [...ourFiles, "data:"] },
  strictTransportSecurity,
  xFrameOptions: "DENY",
});
