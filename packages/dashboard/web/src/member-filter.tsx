/** A filter for one member: a field, then the chosen member with a button to remove it. */
import { useRef } from "preact/hooks";
import { useApp, useServer } from "./app-context.ts";
import { Chip } from "./fields.tsx";
import { useKeptFocus } from "./keep-focus.ts";
import { MemberForm } from "./member-field.tsx";
import { MemberName } from "./member-name.tsx";

interface MemberFilterProps {
	readonly userId: string | null;
	readonly onChange: (userId: string | null) => void;
}

export function MemberFilter({ userId, onChange }: MemberFilterProps) {
	const { t } = useApp();
	const { names } = useServer();
	const part = useRef<HTMLDivElement>(null);
	useKeptFocus(part, (element) => element.querySelector<HTMLElement>("input, button")?.focus());
	return (
		<div ref={part} class="member-filter">
			{userId === null ? (
				<MemberForm label={t("dashboard.columnMember")} action={t("dashboard.filter")} onMember={onChange} />
			) : (
				<div class="field">
					<p class="field-label">{t("dashboard.columnMember")}</p>
					<ul class="chips">
						<Chip name={names.nameOf(userId)} onRemove={() => onChange(null)}>
							<MemberName id={userId} />
						</Chip>
					</ul>
				</div>
			)}
		</div>
	);
}
