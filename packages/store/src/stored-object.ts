import { z } from "zod";

/** A schema of a stored object. Keeps fields of a later version, so that an earlier one loses none when it writes. Its type has only the known ones. */
export const storedObject = z.looseObject as unknown as typeof z.object;
