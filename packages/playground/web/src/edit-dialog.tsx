/** The form in which the user edits the text of an own message. */
import { useApp } from "./app-context.ts";
import { targetOf } from "./app.ts";
import { COMPONENT, PARAGRAPH_STYLE } from "./discord-constants.ts";
import { FormDialog } from "./form-dialog.tsx";

export function EditDialog() {
	const { api, state } = useApp();
	const message = state.edited.value;
	if (!message) return null;
	const text = {
		type: COMPONENT.textInput,
		custom_id: "content",
		style: PARAGRAPH_STYLE,
		value: message.content,
		// A message with files needs no text.
		required: message.attachments.length === 0,
	};
	return (
		<FormDialog
			title="Edit message"
			components={[{ type: COMPONENT.label, label: "Text", component: text }]}
			submitLabel="Save"
			onSubmit={async ([field]) =>
				void (await api.editMessage({ ...targetOf(message), content: String(field?.value) }))
			}
			onClose={() => (state.edited.value = null)}
		/>
	);
}
