/** The part of Trusted Types that the editor uses; browsers without it have no such property. */
interface TrustedTypePolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => URL };
}

interface Window {
  readonly trustedTypes?: TrustedTypePolicyFactory;
}
