import { expect, test } from "vitest";
import { composeTune } from "../../../../../src/studio/engines/sketch/music/compose-tune.ts";
import { STYLE_NAMES } from "../../../../../src/studio/engines/sketch/music/styles.ts";
import { faultsOf } from "./listen.ts";

test.each(STYLE_NAMES)("5 s of %s are clean: no clipping, no offset, no hole, silence at the end", (name) => {
	expect(faultsOf(composeTune({ prompt: name, seed: 11, durationSeconds: 5 }))).toStrictEqual([]);
});
