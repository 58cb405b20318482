/** Values in the documents of the API. Times are milliseconds since 1970, credits are whole numbers. */
import { z } from "zod";

export const credits = z.int();
export const time = z.int().min(0);
export const taskId = z.string().regex(/^\d{1,25}$/, { error: "expected the id of a job" });
