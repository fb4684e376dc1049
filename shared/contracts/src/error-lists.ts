/** Error codes of every operation that compiles the live version of a template. */
export const liveVersionErrors = [
  'template_not_found',
  'version_not_found',
  'invalid_state',
  'compilation_failed',
  'invalid_data',
] as const;

/** Error codes of every operation that takes credits. */
export const chargeErrors = [
  'insufficient_credits',
  'overage_limit_exceeded',
  'credits_not_found',
  'credit_deduction_failed',
] as const;
