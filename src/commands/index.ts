import type { Command } from "./command.ts";
import { credits } from "./credits.ts";
import { image } from "./image.ts";
import { job } from "./job.ts";
import { music } from "./music.ts";
import { quota } from "./quota.ts";
import { settings } from "./settings.ts";
import { usage } from "./usage.ts";
import { video } from "./video.ts";

/** Every command there is. */
export const commands: readonly Command[] = [image, video, music, job, credits, quota, usage, settings];
