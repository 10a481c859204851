package portal

import (
	"net/http"
	"strconv"
)

// memberCookie is a cookie without an expiry: it ends with the browser's session.
const memberCookie = "member"

// Members is the ordinary page for those who have signed in, and leads all others
// to /login, where any name and password do.
func (h *Host) Members() Answer {
	return Answer{"members", func(e exchange) {
		if !h.member(e.r) {
			LoginRedirect.serve(e)
			return
		}
		Page.serve(e)
	}}
}

// EndSessions signs everybody out.
func (h *Host) EndSessions() *Host {
	h.portal.mu.Lock()
	defer h.portal.mu.Unlock()
	h.session++
	return h
}

// Logins is how many times somebody has sent the login form.
func (h *Host) Logins() int {
	h.portal.mu.Lock()
	defer h.portal.mu.Unlock()
	return h.logins
}

func (h *Host) member(r *http.Request) bool {
	h.portal.mu.Lock()
	defer h.portal.mu.Unlock()
	c, err := r.Cookie(memberCookie)
	return err == nil && c.Value == strconv.Itoa(h.session)
}

// signIn answers the login form.
func (h *Host) signIn(w http.ResponseWriter, r *http.Request) {
	h.portal.mu.Lock()
	h.logins++
	session := strconv.Itoa(h.session)
	h.portal.mu.Unlock()
	http.SetCookie(w, &http.Cookie{Name: memberCookie, Value: session, Path: "/", HttpOnly: true})
	http.Redirect(w, r, r.URL.Query().Get("next"), http.StatusSeeOther)
}
