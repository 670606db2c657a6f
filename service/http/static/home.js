// Writes the commands for the address that this page was read from: a proxy may have changed what the server sees.
for (const address of document.querySelectorAll(".here")) {
  address.textContent = window.location.origin;
}
