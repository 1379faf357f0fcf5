/** Whether a line is the one below the names of a Markdown table's columns. Linear, as texts of users are untrusted. */
export const isTableRule = (line: string): boolean => line.includes('-') && /^[\s:|-]+$/.test(line)
