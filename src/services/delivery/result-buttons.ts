/** What is offered under a result: pure. */
import type { Catalogue } from "../generation/catalogue.ts";
import { takesPicture } from "../generation/order.ts";
import { say } from "../messages/messages.ts";
import type { TaskIn } from "../tasks/task.ts";
import type { TaskAction, TaskButton } from "./messenger.ts";

const LABELS = {
	again: "buttonAgain",
	vary: "buttonVary",
	edit: "buttonEdit",
	animate: "buttonAnimate",
	input: "buttonUseAsInput",
	report: "buttonReport",
	delete: "buttonDelete",
} as const satisfies Partial<Record<TaskAction, string>>;

/** By what was made, and by what the models can make of it. */
export function resultButtons(
	{ outcome, order, locale }: TaskIn<"settled" | "delivered">,
	models: Pick<Catalogue, "known">,
): readonly TaskButton[] {
	const isPicture = outcome.kind === "made" && order.mediaType === "image";
	const model = models.known(order.mediaType).find(({ id }) => id === order.model);
	const offered: Readonly<Record<keyof typeof LABELS, boolean>> = {
		again: true,
		vary: isPicture && model !== undefined && takesPicture(model),
		edit: true,
		animate: isPicture && models.known("video").some(takesPicture),
		input: isPicture && models.known("image").some(takesPicture),
		report: outcome.kind === "made",
		delete: outcome.kind === "made",
	};
	const actions = (Object.keys(LABELS) as (keyof typeof LABELS)[]).filter((action) => offered[action]);
	return actions.map((action) => ({ action, label: say(locale, { key: LABELS[action] }) }));
}
