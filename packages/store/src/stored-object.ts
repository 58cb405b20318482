import { z } from "zod";

/**
 * Creates the schema of a stored object. It keeps fields of a later version, so that an earlier one loses none when it writes; the
 * type has only the known fields.
 */
export const storedObject = z.looseObject as unknown as typeof z.object;
