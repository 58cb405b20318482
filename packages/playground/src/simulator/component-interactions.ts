/** Interactions with components: buttons, menus, and modals. */
import type { PressRequest, SubmitRequest } from "../page-contract.ts";
import type { Bring } from "./dispatch-interaction.ts";
import { chosenValues, isMenu } from "./chosen-values.ts";
import { type Control, controlsIn } from "./components.ts";
import { knownTo, resolvedData } from "./interaction-payload.ts";
import { type Interaction, pressedMessageId } from "./interactions.ts";
import { modalValues } from "./modal-values.ts";
import { type Known, type Resolved, InvalidInputError } from "./option-values.ts";
import { type Place, serverOf } from "./channels-in-guilds.ts";
import { seenBy } from "./visibility.ts";
import type { SeedMember } from "./seed.ts";
import type { StoredMessage } from "./stored-message.ts";
import type { Simulator } from "./simulator.ts";

export interface Press {
	readonly component: (person: SeedMember, request: Omit<PressRequest, "user">) => string;
	readonly modal: (person: SeedMember, request: Omit<SubmitRequest, "user">) => string;
}

export function createPress({ simulator, bring }: { simulator: Simulator; bring: Bring }): Press {
	const { places, installs, messages, interactions, show, switches } = simulator;

	function placeOf(person: SeedMember, channelId: string): Place {
		const place = places.find(channelId);
		if (!place || switches.accessTo(place.id) === "gone" || !places.mayRead(place, person.id))
			throw new InvalidInputError("Unknown channel.");
		const server = serverOf(place);
		if (server && !installs.isInstalled(server)) throw new InvalidInputError("The bot is not in this server.");
		return place;
	}

	function messageOf(person: SeedMember, channelId: string, messageId: string): StoredMessage {
		const message = messages.find(channelId, messageId);
		if (!message || !seenBy(simulator, person, message)) throw new InvalidInputError("This message was deleted.");
		return message;
	}

	/** Returns the interaction whose modal is still open. */
	function openerOf(person: SeedMember, interactionId: string) {
		const opener = interactions.find(interactionId);
		if (opener?.userId !== person.id || !opener.modal || (opener.kind !== "command" && opener.kind !== "component"))
			throw new InvalidInputError("Unknown form.");
		const before = interactions.find(opener.modal.sentAsId ?? "");
		if (before && before.state !== "failed") throw new InvalidInputError("This form was sent already.");
		return { ...opener, modal: opener.modal };
	}

	return {
		component(person, { channelId, messageId, customId, values }) {
			const place = placeOf(person, channelId);
			const message = messageOf(person, channelId, messageId);
			const control = controlsIn(message.components).find(({ custom_id: id }) => id === customId);
			if (!control) throw new InvalidInputError("This button or menu was removed.");
			const resolved: Resolved = { users: [], channels: [], roles: [], attachments: [] };
			const chosen = usedAs(control, values, knownTo(simulator, person, place), resolved);
			const data = {
				id: control.id,
				custom_id: customId,
				component_type: control.type,
				...(chosen && { values: chosen, ...resolvedData(simulator, serverOf(place), resolved) }),
			};
			const order = { userId: person.id, channelId, guildId: place.guildId, kind: "component", messageId } as const;
			return bring(interactions.open(order), { person, place, data, message: show.message(message) });
		},
		modal(person, { interactionId, fields }) {
			const opener = openerOf(person, interactionId);
			const { channelId, guildId, modal } = opener;
			const place = placeOf(person, channelId);
			const pressed = pressedMessageId(opener);
			const message = pressed === undefined ? undefined : messageOf(person, channelId, pressed);
			const { components, resolved } = modalValues(modal.components, fields, knownTo(simulator, person, place));
			const data = { custom_id: modal.customId, components, ...resolvedData(simulator, serverOf(place), resolved) };
			const order = { userId: person.id, channelId, guildId, kind: "modal", opener: originOf(opener) } as const;
			const interaction = interactions.open(order);
			interactions.sent(opener, interaction.id);
			return bring(interaction, { person, place, data, ...(message && { message: show.message(message) }) });
		},
	};
}

/** Returns the values of a menu, or none for a button. Rejects disabled components. */
function usedAs(
	control: Control,
	values: readonly string[] | undefined,
	known: Known,
	resolved: Resolved,
): readonly string[] | undefined {
	if (control["disabled"] === true) throw new InvalidInputError("The bot has disabled this.");
	if (isMenu(control)) return chosenValues(control, values ?? [], known, resolved);
	if (values !== undefined) throw new InvalidInputError("A button takes no values.");
	return undefined;
}

type Opener = Extract<Interaction, { kind: "modal" }>["opener"];

function originOf(interaction: Extract<Interaction, { kind: "command" | "component" }>): Opener {
	const { id } = interaction;
	if (interaction.kind === "component") return { id, kind: "component", messageId: interaction.messageId };
	const { commandName, target } = interaction;
	return { id, kind: "command", commandName, ...(target && { target }) };
}
