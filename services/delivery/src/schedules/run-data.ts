/**
 * The data of a run: what was scheduled, and as `schedule` when the run is due. A `schedule` of the scheduled data goes
 * before.
 */
export const dataOfRun = (scheduled: Record<string, unknown>, dueAt: Date): Record<string, unknown> => ({
  schedule: { due_at: dueAt.toISOString() },
  ...scheduled,
});
