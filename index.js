// npm wants an entry point; n8n itself reads the `n8n` section of package.json.
module.exports = {};
