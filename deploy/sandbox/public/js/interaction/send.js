/** Shows what came of the last use; a success shows nothing. */
function tell(message) {
  const toast = document.getElementById('toast');
  toast.textContent = message ?? '';
  toast.hidden = message === undefined;
}

/** Sends what a person does; answers what came of it. */
export async function send(path, body) {
  const response = await fetch(`interactions/${path}`, { method: 'POST', body: JSON.stringify(body) });
  const outcome = await response.json();
  tell(outcome.ok === false ? outcome.message : outcome.error);
  return outcome;
}
