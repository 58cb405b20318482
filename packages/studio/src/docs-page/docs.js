/** A form for each operation of the OpenAPI document. Text is only ever set as text. */
const byId = (id) => document.getElementById(id);

function element(name, properties = {}, ...children) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children);
	return made;
}

/** A first body to change: the submit of the first model. */
function exampleOf(schema, api) {
	const { anyOf } = schema.$ref ? api.components.schemas.Order : {};
	if (!anyOf) return schema.properties?.taskIds ? { taskIds: [] } : {};
	const { mediaType, model } = anyOf[0]?.properties ?? {};
	return { mediaType: mediaType?.const, model: model?.const, prompt: "a lighthouse in a storm" };
}

async function send(method, path, fields, show) {
	const query = new URLSearchParams();
	const headers = new Headers();
	if (byId("key").value) headers.set("authorization", `Bearer ${byId("key").value}`);
	let url = path;
	let body;
	for (const { place, name, input } of fields) {
		if (place === "file" && input.files[0]) (body = new FormData()).append(name, input.files[0]);
		if (place === "body") headers.set("content-type", "application/json");
		if (place === "body") body = input.value;
		if (place === "path") url = url.replace(`{${name}}`, encodeURIComponent(input.value));
		if (place === "query" && input.value) query.set(name, input.value);
		if (place === "header" && input.value) headers.set(name, input.value);
	}
	const init = { method, headers, body };
	const response = await fetch(query.size > 0 ? `${url}?${query.toString()}` : url, init);
	const status = `${response.status} ${response.statusText}\n\n`;
	if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
		let heard = status;
		for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) show((heard += chunk));
		return;
	}
	const text = await response.text();
	try {
		show(status + JSON.stringify(JSON.parse(text), null, 2));
	} catch {
		show(status + text);
	}
}

function operation(path, method, { summary, parameters, requestBody }, api) {
	const fields = parameters.map(({ in: place, name }) => ({ place, name, input: element("input", { name }) }));
	const json = requestBody?.content["application/json"];
	if (json) {
		const value = JSON.stringify(exampleOf(json.schema, api), null, 2);
		fields.push({ place: "body", name: "body", input: element("textarea", { rows: 8, value, spellcheck: false }) });
	}
	if (requestBody?.content["multipart/form-data"]) {
		fields.push({ place: "file", name: "file", input: element("input", { type: "file" }) });
	}
	const answer = element("pre", { ariaLive: "polite" });
	const show = (text) => (answer.textContent = text);
	const onclick = () => {
		show("…");
		send(method.toUpperCase(), path, fields, show).catch((error) => show(String(error)));
	};
	return element(
		"details",
		{},
		element("summary", {}, element("code", {}, `${method.toUpperCase()} ${path}`), summary),
		...fields.map(({ name, input }) => element("label", {}, name, " ", input)),
		element("button", { type: "button", onclick }, "Send"),
		answer,
	);
}

try {
	const api = await (await fetch("/openapi.json")).json();
	for (const [path, methods] of Object.entries(api.paths)) {
		for (const [method, each] of Object.entries(methods)) byId("operations").append(operation(path, method, each, api));
	}
	byId("state").textContent = "";
} catch (error) {
	byId("state").textContent = `The description could not be read: ${String(error)}`;
}
