/** SQL: a moment that has come. Columns with milliseconds round up, and what they hold would be due a moment later. */
export const dueNow = "date_trunc('milliseconds', clock_timestamp())";
