// Columns of a table of customers: which ones there are, and what the user says they hold.

import { readColumns, type Columns } from "./api";
import type { Source } from "./request";

/** Return the file with a column for the key; "" undoes that. */
export function withColumn(source: Source, key: string, title: string): Source {
  if (!("text" in source)) return source;
  const { [key]: _, ...others } = source.columns ?? {};
  return { ...source, columns: title ? { ...others, [key]: title } : others };
}

/** Return the workbook with another sheet, whose columns differ. */
export const withSheet = (source: Source, sheet: string): Source =>
  "text" in source ? { ...source, sheet, columns: null } : source;

/** Return the columns of a file, or null if it is no table. */
export async function columnsOf(source: Source): Promise<Columns | null> {
  const isTable = "format" in source && (source.format === "csv" || source.format === "workbook");
  return isTable ? readColumns({ instance: source }).catch(() => null) : null;
}
