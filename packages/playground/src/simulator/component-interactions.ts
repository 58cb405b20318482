/** Interactions with components: buttons, menus, and modals. */
import type { ComponentRequest, ModalSubmitRequest } from "../page-contract.ts";
import { createLookup, type DispatchInteraction, resolvedData } from "./dispatch-interaction.ts";
import { chosenValues, isMenu, modalValues } from "./component-values.ts";
import { type InteractiveComponent, interactiveComponents } from "./components.ts";
import { type Interaction, pressedMessageId } from "./interactions.ts";
import { type Lookup, type Resolved, InvalidInputError } from "./option-values.ts";
import { type Channel, guildOf } from "./channels.ts";
import type { SeedUser } from "./seed.ts";
import type { StoredMessage } from "./documents.ts";
import type { Simulator } from "./simulator.ts";

export interface ComponentInteractions {
	readonly component: (user: SeedUser, request: Omit<ComponentRequest, "user">) => string;
	readonly modal: (user: SeedUser, request: Omit<ModalSubmitRequest, "user">) => string;
}

export function createComponentInteractions({
	simulator,
	dispatch,
}: {
	simulator: Simulator;
	dispatch: DispatchInteraction;
}): ComponentInteractions {
	const { channels, installs, messages, interactions, serialize, overrides } = simulator;

	function placeOf(user: SeedUser, channelId: string): Channel {
		const channel = channels.find(channelId);
		if (!channel || overrides.accessTo(channel.id) === "gone" || !channels.canRead(channel, user.id))
			throw new InvalidInputError("Unknown channel.");
		const guild = guildOf(channel);
		if (guild && !installs.isInstalled(guild)) throw new InvalidInputError("The bot is not in this server.");
		return channel;
	}

	function messageOf(user: SeedUser, channelId: string, messageId: string): StoredMessage {
		const message = messages.find(channelId, messageId);
		if (!message || !channels.canSee(message, user.id)) throw new InvalidInputError("This message was deleted.");
		return message;
	}

	/** Returns the interaction whose modal is still open. */
	function openerOf(user: SeedUser, interactionId: string) {
		const opener = interactions.find(interactionId);
		if (opener?.userId !== user.id || !opener.modal || (opener.kind !== "command" && opener.kind !== "component"))
			throw new InvalidInputError("Unknown form.");
		const before = interactions.find(opener.modal.submitId ?? "");
		if (before && before.state !== "failed") throw new InvalidInputError("This form was sent already.");
		return { ...opener, modal: opener.modal };
	}

	return {
		component(user, { channelId, messageId, customId, values }) {
			const channel = placeOf(user, channelId);
			const message = messageOf(user, channelId, messageId);
			const control = interactiveComponents(message.components).find(({ custom_id: id }) => id === customId);
			if (!control) throw new InvalidInputError("This button or menu was removed.");
			const resolved: Resolved = { users: [], channels: [], roles: [], attachments: [] };
			const chosen = usedAs(control, values, createLookup(simulator, user, channel), resolved);
			const data = {
				id: control.id,
				custom_id: customId,
				component_type: control.type,
				...(chosen && { values: chosen, ...resolvedData(simulator, guildOf(channel), resolved) }),
			};
			const order = { userId: user.id, channelId, guildId: channel.guildId, kind: "component", messageId } as const;
			return dispatch(interactions.create(order), { user, channel, data, message: serialize.message(message) });
		},
		modal(user, { interactionId, fields }) {
			const opener = openerOf(user, interactionId);
			const { channelId, guildId, modal } = opener;
			const channel = placeOf(user, channelId);
			const pressed = pressedMessageId(opener);
			const message = pressed === undefined ? undefined : messageOf(user, channelId, pressed);
			const { components, resolved } = modalValues(modal.components, fields, createLookup(simulator, user, channel));
			const data = { custom_id: modal.customId, components, ...resolvedData(simulator, guildOf(channel), resolved) };
			const order = { userId: user.id, channelId, guildId, kind: "modal", opener: originOf(opener) } as const;
			const interaction = interactions.create(order);
			interactions.recordSubmit(opener, interaction.id);
			return dispatch(interaction, { user, channel, data, ...(message && { message: serialize.message(message) }) });
		},
	};
}

/** Returns the values of a menu, or none for a button. Rejects disabled components. */
function usedAs(
	control: InteractiveComponent,
	values: readonly string[] | undefined,
	known: Lookup,
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
