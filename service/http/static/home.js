// Writes the commands for the address that this page was read from.
for (const address of document.querySelectorAll(".here")) {
  address.textContent = window.location.origin;
}
