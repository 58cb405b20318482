import type { ClientRequest } from "node:http";
import { Agent, type RequestOptions } from "node:https";
import { connect } from "node:net";

/** A method of Node's agent that its types omit: assigns a request to a connection. */
interface RequestQueue {
	addRequest(request: ClientRequest, options: RequestOptions): void;
}

/** Sends the requests of clients that only use HTTPS on port 443 to `origin` over plain HTTP. */
export function createPlainHttpAgent(origin: string): Agent {
	const { hostname, port, host } = new URL(origin);
	const agent = new Agent() as Agent & RequestQueue;
	const addRequest = agent.addRequest.bind(agent);
	agent.createConnection = () => connect(Number(port), hostname);
	agent.addRequest = (request, options) => {
		// Such clients omit the port, and the gateway accepts only its own address.
		request.setHeader("host", host);
		// They also drop data that arrives with the response to an upgrade: here the gateway's Hello.
		request.once("upgrade", (_response, socket, head) => socket.unshift(head));
		addRequest(request, options);
	};
	return agent;
}
