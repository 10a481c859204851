package portal

import (
	"crypto/sha256"
	"fmt"
	"net/http"
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

// Welcome is the ordinary page, which makes a member of every visitor.
func (h *Host) Welcome() Answer {
	return Answer{"welcome", func(e exchange) {
		h.welcome(e.w)
		Page.serve(e)
	}}
}

// Session is what the cookie of a member holds at present, which is nobody else's
// business.
func (h *Host) Session() string {
	h.portal.mu.Lock()
	defer h.portal.mu.Unlock()
	return h.secret()
}

// secret is Session for who holds portal.mu.
func (h *Host) secret() string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, h.name, h.session)))
}

func (h *Host) welcome(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{Name: memberCookie, Value: h.Session(), Path: "/", HttpOnly: true})
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
	return err == nil && c.Value == h.secret()
}

// signIn answers the login form.
func (h *Host) signIn(w http.ResponseWriter, r *http.Request) {
	h.portal.mu.Lock()
	h.logins++
	h.portal.mu.Unlock()
	h.welcome(w)
	http.Redirect(w, r, r.URL.Query().Get("next"), http.StatusSeeOther)
}
