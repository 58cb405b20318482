/** Interactions with components: buttons, menus, and modals. */
import type { BodyOf } from "../page/page-contract.ts";
import { isMenu, menuValues, modalValues } from "./component-values.ts";
import { interactiveComponents } from "../simulator/components.ts";
import { componentMessageId } from "../simulator/interactions.ts";
import { type InteractionDispatcher, usableChannel } from "./dispatch-interaction.ts";
import { createIdResolver } from "./id-resolver.ts";
import { InvalidInputError } from "./invalid-input.ts";
import type { User } from "../simulator/documents.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { readableMessage } from "./user-access.ts";

export type ComponentInteractions = ReturnType<typeof createComponentInteractions>;

/** `press` and `submit` return the id of the new interaction; events report its outcome. */
export function createComponentInteractions(simulator: Simulator, { dispatch }: InteractionDispatcher) {
	const { interactions, serialize } = simulator;

	/** Returns the interaction whose modal is still open. */
	function openerOf(user: User, interactionId: string) {
		const opener = interactions.find(interactionId);
		const { origin, modal } = opener ?? {};
		if (opener?.userId !== user.id || !modal || (origin?.kind !== "command" && origin?.kind !== "component"))
			throw new InvalidInputError("Unknown form.");
		const earlierSubmit = interactions.find(modal.submitId ?? "");
		if (earlierSubmit && earlierSubmit.state !== "failed") throw new InvalidInputError("This form was sent already.");
		return { opener, origin, modal };
	}

	return {
		press(user: User, { channelId, messageId, customId, values }: BodyOf<"press">): string {
			const channel = usableChannel(simulator, user, channelId);
			const message = readableMessage(simulator, user, channelId, messageId);
			const component = interactiveComponents(message.components).find(({ custom_id: id }) => id === customId);
			if (!component) throw new InvalidInputError("This button or menu was removed.");
			if (component["disabled"] === true) throw new InvalidInputError("The bot has disabled this.");
			if (!isMenu(component) && values) throw new InvalidInputError("A button takes no values.");
			const resolver = createIdResolver(simulator, user, channel);
			const data = {
				id: component.id,
				custom_id: customId,
				component_type: component.type,
				...(isMenu(component) && { values: menuValues(component, values ?? [], resolver), ...resolver.data() }),
			};
			const shown = serialize.message(message);
			return dispatch({ kind: "component", messageId }, { user, channel, data, message: shown });
		},
		submit(user: User, { interactionId, fields }: BodyOf<"submit">): string {
			const { opener, origin, modal } = openerOf(user, interactionId);
			const channel = usableChannel(simulator, user, opener.channelId);
			const messageId = componentMessageId(origin);
			const message = messageId === undefined ? undefined : readableMessage(simulator, user, channel.id, messageId);
			const resolver = createIdResolver(simulator, user, channel);
			const components = modalValues(modal.components, fields, resolver);
			const data = { custom_id: modal.customId, components, ...resolver.data() };
			const shown = message && { message: serialize.message(message) };
			const submitId = dispatch(
				{ kind: "modal", opener: { id: opener.id, ...origin } },
				{ user, channel, data, ...shown },
			);
			interactions.recordSubmit(opener, submitId);
			return submitId;
		},
	};
}
