import { z } from "zod";

export const DAY_MS = 24 * 60 * 60_000;
export const snowflake = z.string().regex(/^\d{1,20}$/);
