/** The changes of the settings, newest first. */
import { useEffect } from "preact/hooks";
import { useApp, useServer } from "../app-context.ts";
import { PageHead, Time } from "../card.tsx";
import { Author } from "../member-name.tsx";
import { MentionText } from "../mention-text.tsx";
import { PagedList, usePages } from "../load-data.tsx";

export function AuditPage() {
	const { t, call, formats } = useApp();
	const { params, loadDirectory } = useServer();
	// Without a directory the text shows ids of roles and channels.
	useEffect(() => void loadDirectory().catch(() => null), []);
	const pages = usePages((before?: number) => call("settingsChanges", { params, query: { before } }), []);
	return (
		<>
			<PageHead title={t("dashboard.page", { page: "audit" })} />
			<div class="card">
				<PagedList pages={pages} empty={t("audit.empty")}>
					{(items) => (
						<ol class="rows">
							{items.map(({ revision, atMs, userId, keyName, via, fields }) => (
								<li key={revision}>
									<p class="facts">
										<Author userId={userId} keyName={keyName} isOperator withAvatar />
										<Time atMs={atMs} text={formats.moment(atMs)} />
										{/* The author of a change by an API key is the key, which says the same. */}
										{via !== "apiKey" && <span>{t("dashboard.changedVia", { via })}</span>}
										<span>#{revision}</span>
									</p>
									{fields.map((field, at) => (
										<p key={at} class="change-text">
											<MentionText text={field} />
										</p>
									))}
								</li>
							))}
						</ol>
					)}
				</PagedList>
			</div>
		</>
	);
}
