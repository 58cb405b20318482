/** The documents of what forms offer. */
import { z } from "zod";
import { discordId, mediaType, STYLE_OPTIONS } from "../server-settings.ts";

/** An option of a model. `min` and `max` limit a number, `max` also the characters of a text. */
export const StyleOption = z.object({
	name: z.enum(STYLE_OPTIONS),
	kind: z.enum(["choice", "number", "text", "switch"]),
	choices: z.array(z.string()),
	min: z.number(),
	max: z.number(),
});
export type StyleOption = z.infer<typeof StyleOption>;

/** The roles, channels and models that a form offers. */
export const Directory = z.object({
	roles: z.array(z.object({ id: discordId, name: z.string() })),
	/** In the order that Discord shows. `canBePostedTo`: logs, reports, warnings and the showcase need a channel of this kind. */
	channels: z.array(
		z.object({ id: discordId, name: z.string(), category: z.string().nullable(), canBePostedTo: z.boolean() }),
	),
	models: z.array(
		z.object({
			id: z.string(),
			name: z.string(),
			mediaType,
			/** The options that a style may set; `null` if no style can use the model. */
			styleOptions: z.array(StyleOption).nullable(),
		}),
	),
	/** The languages that a server may choose: Discord's code, and the language's own name. */
	languages: z.array(z.object({ code: z.string(), name: z.string() })),
	timeZones: z.array(z.string()),
	/** True if the operator has set a moderation service, whose flags the rules of `safety` use. */
	hasModeration: z.boolean(),
	/** True if the operator has set a text model, which improves prompts. */
	hasImprover: z.boolean(),
});
export type Directory = z.infer<typeof Directory>;
