import { render } from "preact";
import { AppContext } from "./app-context.ts";
import { createApp } from "./app.ts";
import { Layout } from "./layout.tsx";

const root = document.getElementById("app");
const unavailable = document.getElementById("unavailable");

async function start(): Promise<void> {
	const app = await createApp();
	if (!root) return;
	root.textContent = "";
	render(
		<AppContext.Provider value={app}>
			<Layout />
		</AppContext.Provider>,
		root,
	);
}

start().catch(() => {
	if (root) root.hidden = true;
	if (unavailable) unavailable.hidden = false;
});
