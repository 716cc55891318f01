import { secureHeaders } from "hono/secure-headers";

const nothing = ["'none'"];
const ourFiles = ["'self'"];
/** Without subdomains, which are not ours to decide about. */
const strictTransportSecurity = "max-age=15552000";

/** For data: should a browser display it, it loads and runs nothing. Headers that a page has set stay. */
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

/** For the dashboard: only files from this origin, nothing inline, and no text ever becomes markup. */
export const dashboardSecurityHeaders = secureHeaders({
  contentSecurityPolicy: { ...pagePolicy, requireTrustedTypesFor: ["'script'"], trustedTypes: nothing },
  strictTransportSecurity,
  xFrameOptions: "DENY",
});

/**
 * For the interactive documentation, whose library embeds images in its styles and generates markup from what it
 * sanitizes.
 */
export const swaggerSecurityHeaders = secureHeaders({
  contentSecurityPolicy: { ...pagePolicy, imgSrc: [...ourFiles, "data:"] },
  strictTransportSecurity,
  xFrameOptions: "DENY",
});
