/** What every process of the stack may see of its starter's environment besides its own settings. */
const inherited = /^(PATH|HOME|TZ|LANG|TMPDIR|SystemRoot|NODE_.*|OTEL_.*)$/;

/** The part of this process's environment that is handed on; nothing else leaks into a service. */
export const inheritedEnvironment = (
  env: Record<string, string | undefined> = process.env,
): Record<string, string> => {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && inherited.test(name)) kept[name] = value;
  }
  return kept;
};
