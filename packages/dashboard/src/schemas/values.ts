/** Values in the documents of the API. Times are milliseconds since 1970, credits are whole numbers. */
import { z } from "zod";

export const credits = z.int();
export const time = z.int().min(0);
/** A page of a list. `next`: the position of the next page; `null` at the end. */
export const pageOf = <Item extends z.ZodType, Position extends z.ZodType>(item: Item, position: Position) =>
	z.object({ items: z.array(item), next: position.nullable() });
export const taskId = z.string().regex(/^\d{1,25}$/, { error: "expected the id of a job" });
